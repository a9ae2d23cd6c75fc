import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../canonical/content.ts';
import { readDataUrl, toStandardBase64, writeDataUrl } from '../data-url.ts';
import { foreignFile, UntranslatableError } from './untranslatable.ts';

/** A data URL becomes data, because most providers do not fetch data URLs. */
export function toUrlSource(url: string): MediaSource {
  const data = readDataUrl(url);
  return data ? { kind: 'data', ...data } : { kind: 'url', url };
}

/** Reads a data URL or another URL that a caller sent at `path`. @throws UntranslatableError for other values. */
export function readMediaSource(url: string, path: string): MediaSource {
  const source = toUrlSource(url);
  if (source.kind === 'data' || /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return source;
  throw new UntranslatableError(`The value of '${path}' is neither a data URL nor the URL of a file.`, path);
}

export function encodeImageUrl({ source, detail }: ImagePart): object {
  if (source.kind === 'file') throw foreignFile('image');
  const url = source.kind === 'url' ? source.url : writeDataUrl(source);
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

export function decodeInputAudio({
  data,
  format,
}: {
  readonly data: string;
  readonly format: string;
}): AudioPart {
  const kind = format.toLowerCase();
  const mediaType = `audio/${kind === 'mp3' ? 'mpeg' : kind}`;
  return { type: 'audio', source: { kind: 'data', mediaType, base64: toStandardBase64(data) } };
}

/** Returns a document's text; `null` if the document is not text or not part of the request. */
export function readDocumentText({ source }: DocumentPart): string | null {
  if (source.kind === 'text') return source.text;
  const isText = source.kind === 'data' && /^text\/|[/+](json|xml|yaml)$/.test(source.mediaType);
  return isText ? Buffer.from(source.base64, 'base64').toString() : null;
}

export function demandDocumentText(document: DocumentPart): string {
  const text = readDocumentText(document);
  if (text !== null) return text;
  throw new UntranslatableError(
    'The provider of this model accepts documents as text only; send the text of the document.',
    'messages',
  );
}

export function inlineDocument(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}\n\n${text}`;
}
