import type { Attachment } from '../generation/prompt.ts';
import { matching } from './checks.ts';

/** Only data URLs contain the file itself. */
export function describeUrl(url: string, kind: string): Attachment {
  const [, mediaType, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(url) ?? [];
  if (mediaType === undefined || data === undefined)
    return { mediaType: `${kind} at a URL`, byteCount: null };
  return { mediaType, byteCount: decodedLength(data) };
}

/** Returns the number of bytes encoded in a base64 text, in either alphabet, with or without padding. */
export function decodedLength(base64: string): number {
  return Buffer.byteLength(base64.replaceAll(/[^\w+/-]/g, ''), 'base64');
}

const signatures: [mediaType: string, pattern: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['application/pdf', /^%PDF/],
];

/** Returns the media type indicated by the first bytes of a file, or `null` if they are unknown. */
export function sniffMediaType(base64: string): string | null {
  const start = Buffer.from(base64.slice(0, 24), 'base64').toString('latin1');
  return signatures.find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}

export const pictureAddress = matching(
  /^(https?:\/\/|data:image\/[\w.+-]+;base64,[\w+/=-]+$)/,
  'must be a URL, or a data URL of an image',
);
