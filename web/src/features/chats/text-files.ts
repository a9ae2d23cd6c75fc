const fileMaxBytes = 50_000;
const filesMax = 4;

export const textFilesHint = 'up to 4 text files of at most 50 KB each';

/** Reads text files as message parts, each after its name; `problem` explains why one was rejected. */
export async function readTextFiles(
  files: readonly File[],
): Promise<{ texts: string[]; problem: string | undefined }> {
  const taken = files.slice(0, filesMax);
  const read = await Promise.all(taken.map(readTextFile));
  const refused = taken.filter((_, index) => read[index] === null).map(({ name }) => name);
  const tooMany = files.length > filesMax;
  const isAllTaken = refused.length === 0 && !tooMany;
  return {
    texts: read.filter((text) => text !== null),
    problem: isAllTaken
      ? undefined
      : `${tooMany ? 'Some files were' : `${refused.join(', ')} was`} not attached: ${textFilesHint}`,
  };
}

async function readTextFile(file: File): Promise<string | null> {
  if (file.size > fileMaxBytes) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? null : `${file.name}:\n~~~~\n${text.trimEnd()}\n~~~~`;
  } catch {
    return null;
  }
}
