import { chatImageLimits, chatImageTypes, type SendChatMessageBody } from '@sluice/contract';

export interface AttachedImage {
  readonly body: NonNullable<SendChatMessageBody['images']>[number];
  /** Object URL for the preview. */
  readonly url: string;
  /** Whether the image was scaled down. */
  readonly isShrunk: boolean;
}

const { countMax, maxBytes } = chatImageLimits;
/** Models scale larger images down, and four images of this size fit in one message. */
const sideMaxPx = 2048;
const shrunkMaxBytes = 1_400_000;

export const imageFilesHint = `up to ${countMax} images (PNG, JPEG, WebP, GIF; larger ones are shrunk)`;

export const isImageFile = ({ type }: File) => type.startsWith('image/');

/** `problem` explains why a file was rejected. */
export async function readImageFiles(
  files: readonly File[],
  countBefore: number,
): Promise<{ images: AttachedImage[]; problem: string | undefined }> {
  const taken = files.slice(0, Math.max(0, countMax - countBefore));
  const read = await Promise.all(taken.map((file) => readImageFile(file).catch(() => null)));
  const problems = [
    ...taken
      .filter((_, index) => read[index] === null)
      .map(({ name }) => `${name} could not be read as an image`),
    ...files.slice(taken.length).map(({ name }) => `${name} was not attached: ${imageFilesHint}`),
  ];
  return { images: read.filter((image) => image !== null), problem: joinProblems(problems) };
}

const joinProblems = (problems: readonly string[]) =>
  problems.length === 0 ? undefined : problems.join('. ');

async function readImageFile(file: File): Promise<AttachedImage | null> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, sideMaxPx / Math.max(picture.width, picture.height));
  const type = chatImageTypes.find((one) => one === file.type);
  const isShrunk = scale < 1 || file.size > shrunkMaxBytes || type === undefined;
  const blob = isShrunk ? await shrink(picture, scale) : file;
  picture.close();
  if (blob === null || blob.size > maxBytes) return null;
  const url = await readDataUrl(blob);
  const media_type = isShrunk ? 'image/jpeg' : (type ?? 'image/jpeg');
  const data = url.slice(url.indexOf(',') + 1);
  return { body: { name: file.name.slice(0, 200) || 'image', media_type, data }, url, isShrunk };
}

/** Encodes an image as JPEG on a white background, scaled down until the file is small enough. */
async function shrink(picture: ImageBitmap, firstScale: number): Promise<Blob | null> {
  for (let scale = firstScale; scale > 0.05; scale *= 0.7) {
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(picture.width * scale)),
      Math.max(1, Math.round(picture.height * scale)),
    );
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
    if (blob.size <= shrunkMaxBytes) return blob;
  }
  return null;
}

function readDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

const fileMaxBytes = 50_000;
const filesMax = 4;

export const textFilesHint = 'up to 4 text files of at most 50 KB each';

/** `problem` explains why a file was rejected. */
export async function readTextFiles(
  files: readonly File[],
): Promise<{ texts: string[]; problem: string | undefined }> {
  const taken = files.slice(0, filesMax);
  const read = await Promise.all(taken.map(readTextFile));
  const problems = [
    ...taken
      .filter((_, index) => read[index] === null)
      .map(({ name, size }) => `${name} is ${size > fileMaxBytes ? 'larger than 50 KB' : 'not a text file'}`),
    ...files.slice(taken.length).map(({ name }) => `${name} was not attached: ${textFilesHint}`),
  ];
  return { texts: read.filter((text) => text !== null), problem: joinProblems(problems) };
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
