/** Content of a `data:` URL. `base64` is standard and padded, and `mediaType` is lower case. */
export interface DataUrl {
  readonly mediaType: string;
  readonly base64: string;
}

/**
 * Reads a `data:` URL; returns `null` for any other URL. Known magic bytes take precedence over the declared media
 * type.
 */
export function readDataUrl(url: string): DataUrl | null {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]*)((?:;[^;,]*)*)$/i.exec(url.slice(0, Math.max(comma, 0)));
  if (!head) return null;
  const [, declared = '', parameters = ''] = head;
  const payload = url.slice(comma + 1);
  const base64 = /;\s*base64\s*$/i.test(parameters) ? toStandardBase64(payload) : encodeText(payload);
  return { mediaType: sniffMediaType(base64) ?? toMediaType(declared), base64 };
}

export function writeDataUrl({ mediaType, base64 }: DataUrl): string {
  return `data:${mediaType};base64,${base64}`;
}

/** Converts any base64 variant to standard, padded base64. The head of a data URL is removed. */
export function toStandardBase64(text: string): string {
  const payload = text.replace(/^data:[^,]{0,200},/i, '');
  const plain = /[-_\s%]/.test(payload) ? unescapeText(payload).replace(/\s/g, '') : payload;
  const bare = trimPadding(plain).replaceAll('-', '+').replaceAll('_', '/');
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
}

// Avoids a regular expression, which would restart at each of a million `=` signs that are not at the end.
function trimPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === '=') end--;
  return text.slice(0, end);
}

const signatures: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD[dl]/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

function sniffMediaType(base64: string): string | null {
  const start = base64.slice(0, 24);
  return signatures.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}

function toMediaType(declared: string): string {
  const mediaType = declared.trim().toLowerCase();
  if (mediaType === '') return 'application/octet-stream';
  return mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
}

function encodeText(text: string): string {
  return Buffer.from(unescapeText(text)).toString('base64');
}

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
