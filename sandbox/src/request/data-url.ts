import type { Attachment } from '../generation/prompt.ts';

/** Describes the image or file of a URL; only data URLs include its content. */
export function describeUrl(url: string, kind: string): Attachment {
  const [, mediaType, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(url) ?? [];
  if (mediaType === undefined || data === undefined)
    return { mediaType: `${kind} at an address`, byteCount: null };
  return { mediaType, byteCount: decodedLength(data) };
}

/** Returns the number of bytes that base64 encodes, in either alphabet, padded or not. */
export function decodedLength(base64: string): number {
  return Buffer.byteLength(base64.replaceAll(/[^\w+/-]/g, ''), 'base64');
}
