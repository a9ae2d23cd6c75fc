import { isObject, readText } from '#json/json-value.ts';
import type { AudioPart, DocumentPart, ImagePart, MediaSource, TextPart } from '../canonical/content.ts';
import { readDataUrl } from '../data-url.ts';
import { nameFile, readAnswerImage } from '../translation/answer-images.ts';
import { inlineDocument, toUrlSource } from '../translation/media-source.ts';
import { foreignFile, UntranslatableError } from '../translation/untranslatable.ts';
import type { AnswerPart, FileData, InlineData } from './wire.ts';

type MediaPart = ImagePart | DocumentPart | AudioPart;

export function decodeInlineData({ mimeType, data, displayName }: InlineData, path: string): MediaPart {
  const read = readDataUrl(`data:${mimeType ?? ''};base64,${data}`);
  const mediaType = read?.mediaType ?? 'application/octet-stream';
  return toMediaPart(mediaType, { kind: 'data', mediaType, base64: read?.base64 ?? data }, path, displayName);
}

/** Files stored at Google become file IDs; all others become URLs. */
export function decodeFileData({ mimeType, fileUri, displayName }: FileData, path: string): MediaPart {
  if (youtube.test(fileUri)) throw refuseVideo(path);
  const source: MediaSource = googleFile.test(fileUri)
    ? { kind: 'file', fileId: fileUri }
    : toUrlSource(fileUri);
  const declared = source.kind === 'data' ? source.mediaType : (mimeType ?? guessMediaType(fileUri) ?? '');
  return toMediaPart(declared.toLowerCase(), source, path, displayName);
}

const youtube = /^https:\/\/((www|m)\.)?(youtube\.com|youtu\.be)\//;
const googleFile = /^(gs:\/\/|https:\/\/generativelanguage\.googleapis\.com\/)/;
/** URLs that Google fetches itself. */
const readByGoogle =
  /^https:\/\/((firebase)?storage\.googleapis\.com|((www|m)\.)?(youtube\.com|youtu\.be))\//;

function toMediaPart(
  mediaType: string,
  source: MediaSource,
  path: string,
  name: string | null | undefined,
): MediaPart {
  if (mediaType.startsWith('video/')) throw refuseVideo(path);
  if (mediaType.startsWith('image/')) return { type: 'image', source };
  if (mediaType.startsWith('audio/')) return { type: 'audio', source };
  return { type: 'document', source, ...(name != null && { name }) };
}

function refuseVideo(path: string): UntranslatableError {
  return new UntranslatableError(
    "Only Google's models support video, and this model belongs to another provider.",
    path,
  );
}

/** Other files become a text with the file's name. Returns `null` for parts without a file. */
export function readAnswerMedia({ inlineData, fileData }: AnswerPart): ImagePart | TextPart | null {
  const inline: { mimeType?: unknown; data?: unknown } = isObject(inlineData) ? inlineData : {};
  const data = readText(inline.data);
  if (data !== '') {
    const url = `data:${readText(inline.mimeType)};base64,${data}`;
    const image = readAnswerImage(url);
    if (image?.source.kind === 'data' && image.source.mediaType.startsWith('image/')) return image;
    return { type: 'text', text: nameFile(readText(inline.mimeType), data) };
  }
  const file: { mimeType?: unknown; fileUri?: unknown } = isObject(fileData) ? fileData : {};
  const uri = readText(file.fileUri);
  const isImage = (readText(file.mimeType) || (guessMediaType(uri) ?? '')).startsWith('image/');
  if (uri === '') return null;
  return (isImage && readAnswerImage(uri)) || { type: 'text', text: `[The model returned a file: ${uri}]` };
}

export function encodeAnswerImage({ source }: ImagePart): object {
  if (source.kind === 'data') return { inlineData: { mimeType: source.mediaType, data: source.base64 } };
  const fileUri = source.kind === 'url' ? source.url : source.fileId;
  return { fileData: { mimeType: guessMediaType(fileUri) ?? 'image/png', fileUri } };
}

const kinds = { image: 'image', document: 'document', audio: 'audio' } as const;

/** Encodes an image, document, or audio as one part. The gateway does not fetch URLs. */
export function encodeMedia(part: MediaPart): object {
  const { type, source } = part;
  if (source.kind === 'text')
    return { text: inlineDocument('name' in part ? part.name : undefined, source.text) };
  if (source.kind === 'data') return { inlineData: { mimeType: source.mediaType, data: source.base64 } };
  const fileUri = source.kind === 'url' ? source.url : source.fileId;
  const mimeType = guessMediaType(fileUri);
  if (googleFile.test(fileUri) || (source.kind === 'url' && readByGoogle.test(fileUri)))
    return { fileData: { ...(mimeType && { mimeType }), fileUri } };
  if (source.kind === 'file') throw foreignFile(kinds[type]);
  throw new UntranslatableError(
    `The provider of this model does not accept ${kinds[type]} URLs; send a data URL instead.`,
    'messages',
  );
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  gif: 'image/gif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
};

function guessMediaType(uri: string): string | undefined {
  const extension = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(uri)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension] : undefined;
}
