import { toStandardBase64 } from './data-url.ts';

const mute = /^(image|audio|video)\/|\/pdf$/i;
/** Of a long file its start and its end are read. */
const startLength = 64 * 1024;
const endLength = 4 * 1024;
const strangeShareMax = 0.1;

/** What a file in base64 says, told by its bytes whatever it is called; a picture, a sound or a PDF says nothing. */
export function readFileText(mediaType: string, base64: string): string {
  if (mute.test(mediaType)) return '';
  const start = decode(base64.slice(0, startLength));
  if (isBinary(start)) return '';
  // Cut where three bytes begin.
  const endAt = Math.max(startLength, (base64.length - endLength) & ~3);
  return start + decode(base64.slice(endAt));
}

/** The same of a file as a `data:` URL, or as base64 alone. */
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
