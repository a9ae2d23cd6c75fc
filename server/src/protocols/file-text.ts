import { toStandardBase64 } from './data-url.ts';

/** SVG is an image that consists of text. */
const mute = /^(image(?!\/svg)|audio|video)\/|\/pdf$/i;
/** Long files are read only at their start and end. */
const startLength = 64 * 1024;
const endLength = 4 * 1024;
const strangeShareMax = 0.1;

/** Returns the text of a base64 file, detected by its bytes; an empty string for images, audio and PDFs. */
export function readFileText(mediaType: string, base64: string): string {
  if (mute.test(mediaType)) return '';
  const start = decode(base64.slice(0, startLength));
  if (isBinary(start)) return '';
  // Cut at a multiple of 4 characters, where a group of three bytes begins.
  const endAt = Math.max(startLength, (base64.length - endLength) & ~3);
  return start + decode(base64.slice(endAt));
}

/** Returns the text of a file given as a `data:` URL or as plain base64. */
export function readFileDataText(data: string): string {
  const head = /^data:([^;,]*)([^,]*),/i.exec(data.slice(0, 512));
  if (!head) return readFileText('', data);
  const [all, mediaType = '', parameters = ''] = head;
  const payload = data.slice(all.length);
  if (/;\s*base64\s*$/i.test(parameters)) return readFileText(mediaType, payload);
  return mute.test(mediaType) ? '' : unescapeText(payload);
}

function decode(base64: string): string {
  return Buffer.from(toStandardBase64(base64), 'base64').toString();
}

function isBinary(text: string): boolean {
  if (text.startsWith('%PDF')) return true;
  let strange = 0;
  for (const character of text)
    if (character === '\uFFFD' || (character < ' ' && !/\s/.test(character))) strange++;
  return strange > text.length * strangeShareMax;
}

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
