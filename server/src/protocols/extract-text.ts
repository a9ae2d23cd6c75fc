import { isObject } from '#json/json-value.ts';
import { toStandardBase64 } from './data-url.ts';

/** Media types without text. SVG is excluded, since an SVG image consists of text. */
const mute = /^(image(?!\/svg)|audio|video)\/|\/pdf$/i;
/** Only the start and the end of long files are read. */
const startLength = 64 * 1024;
const endLength = 4 * 1024;
const strangeShareMax = 0.1;

/** Returns the text of a base64 file, detected by its bytes; an empty string for images, audio and PDFs. */
function readFileText(mediaType: string, base64: string): string {
  if (mute.test(mediaType)) return '';
  const start = decode(base64.slice(0, startLength));
  if (isBinary(start)) return '';
  // Cut at a multiple of 4 characters, where a group of three bytes starts.
  const endAt = Math.max(startLength, (base64.length - endLength) & ~3);
  return start + decode(base64.slice(endAt));
}

/** Returns the text of a file given as a `data:` URL or as plain base64. */
export function extractFileText(data: string): string {
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

const textFields = new Set([
  ...[
    'text',
    'content',
    'parts',
    'context',
    'refusal',
    'thinking',
    'reasoning',
    'reasoning_content',
    'summary',
  ],
  ...['source', 'file', 'inlineData', 'code', 'transcript', 'description', 'definition', 'format', 'tools'],
  ...['function', 'custom', 'functionCall', 'functionResponse', 'functionDeclarations', 'executableCode'],
  ...['codeExecutionResult', 'tool_calls', 'function_call', 'action', 'operation', 'diff', 'patch'],
]);
/** Fields with the caller's own data, which are read completely. */
const dataFields = new Set([
  'input',
  'arguments',
  'args',
  'output',
  'response',
  'result',
  'variables',
  'query',
]);
/** Name fields, which models see too. A name counts as text if it contains a sentence. */
const nameFields = new Set(['name', 'filename', 'title', 'displayName']);
const sentenceWordsMin = 4;

/** Returns the text in a caller's value that a model receives, including text files but not images or audio. */
export function extractText(value: unknown): string {
  const texts: string[] = [];
  addTexts(value, texts);
  return texts.join('\n');
}

function addTexts(value: unknown, found: string[]): void {
  if (typeof value === 'string') addText(value, found);
  else if (Array.isArray(value)) for (const part of value) addTexts(part, found);
  else if (isObject(value))
    // `for...in` is safe, because the prototype has no enumerable names. `Object.entries` would take longer than the
    // texts.
    for (const name in value) addField(name, value[name as keyof typeof value], value, found);
}

function addField(spelled: string, held: unknown, holder: object, found: string[]): void {
  const name = spelled.includes('_') ? joinCamelCase(spelled) : spelled;
  const text = typeof held === 'string' ? held : null;
  if (text !== null && nameFields.has(name)) addText(readName(text), found);
  else if (name === 'imageUrl') addText(readInlineUrl(held), found);
  else if (text !== null && name === 'fileData') addText(extractFileText(text), found);
  else if (text !== null && name === 'data') addText(readData(text, holder), found);
  else if (dataFields.has(name)) addAllStrings(held, found);
  else if (textFields.has(name) || textFields.has(spelled)) addTexts(held, found);
}

function addText(text: string, found: string[]): void {
  if (text !== '') found.push(text);
}

function readData(data: string, holder: object): string {
  const isText = 'type' in holder && holder.type === 'text';
  return isText ? data : readFileText(readMediaType(holder), data);
}

function readInlineUrl(value: unknown): string {
  const url = isObject(value) && 'url' in value ? value.url : value;
  return typeof url === 'string' && /^data:/i.test(url) ? extractFileText(url) : '';
}

function joinCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readMediaType(value: object): string {
  const named: Readonly<Record<string, unknown>> = { ...value };
  const type = named.media_type ?? named.mimeType ?? named.mime_type;
  return typeof type === 'string' ? type : '';
}

function addAllStrings(value: unknown, found: string[]): void {
  if (typeof value === 'string') addText(value, found);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) addAllStrings(part, found);
}

function readName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  return words.length < sentenceWordsMin ? '' : words.join(' ');
}
