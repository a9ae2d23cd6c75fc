import type { Attachment } from '../generation/prompt.ts';

/** What an address says of the picture or file behind it; only a data URL has it at hand. */
export function describeUrl(url: string, kind: string): Attachment {
  const [, mediaType, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(url) ?? [];
  if (mediaType === undefined || data === undefined)
    return { mediaType: `${kind} at an address`, byteCount: null };
  return { mediaType, byteCount: decodedLength(data) };
}

/** The number of bytes that a text in base64 stands for, of either alphabet, padded or not. */
export function decodedLength(base64: string): number {
  return Buffer.byteLength(base64.replaceAll(/[^\w+/-]/g, ''), 'base64');
}
