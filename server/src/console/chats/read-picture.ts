import { chatImageLimits, type chatImageTypes } from '@sluice/contract';
import { invalidField } from '#errors/console-error.ts';
import type { Picture } from './images-store.ts';

interface SentPicture {
  readonly name: string;
  readonly media_type: (typeof chatImageTypes)[number];
  readonly data: string;
}

/** Magic bytes of each file type; a WebP has its name after its length. */
const isOfType: Record<SentPicture['media_type'], (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  'image/webp': (bytes) => /^RIFF....WEBP/s.test(bytes.toString('latin1', 0, 12)),
};

/**
 * Decodes an image.
 * @throws ConsoleError 422 if it is too large or its content is not of the declared type.
 */
export function readPicture({ name, media_type: mediaType, data }: SentPicture): Picture {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > chatImageLimits.maxBytes) throw invalidField('images', 'A picture has at most 4 MB');
  if (!isOfType[mediaType](bytes)) {
    const kind = mediaType.slice('image/'.length).toUpperCase();
    throw invalidField('images', `${name} is no ${kind} picture`);
  }
  return { name, mediaType, bytes };
}

/** @throws ConsoleError 422 if the images exceed the limit of a message. */
export function requireFew(pictures: readonly Picture[]): void {
  const { countMax, totalMaxBytes } = chatImageLimits;
  if (pictures.length > countMax) throw invalidField('images', `A message has at most ${countMax} pictures`);
  if (pictures.reduce((sum, { bytes }) => sum + bytes.length, 0) > totalMaxBytes)
    throw invalidField('images', 'The pictures of a message have at most 6 MB together');
}
