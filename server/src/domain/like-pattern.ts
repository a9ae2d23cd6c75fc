/** A LIKE pattern for texts that hold this one anywhere; its `%`, `_` and `\` stand for themselves. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The LIKE pattern of a glob, whose `*` stands for any characters. */
export function globPattern(glob: string): string {
  return glob.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
