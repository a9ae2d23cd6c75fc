import type { DocumentPart, ImagePart, MediaSource } from '../canonical/content.ts';
import { readDataUrl } from '../data-url.ts';
import { readDocumentText } from '../translation/document-text.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { AnyBlock } from './block.ts';
import type { ResultBlock } from './wire.ts';

type ImageBlock = Extract<ResultBlock, { type: 'image' }>;
type DocumentBlock = Extract<ResultBlock, { type: 'document' }>;

export function decodeImage({ source }: ImageBlock): ImagePart {
  return { type: 'image', source: decodeSource(source) };
}

export function decodeDocument({ source, title }: DocumentBlock): DocumentPart {
  const name = typeof title === 'string' && title !== '' ? { name: title } : {};
  if (source.type === 'text')
    return { type: 'document', source: { kind: 'text', text: source.data }, ...name };
  if (source.type !== 'content') return { type: 'document', source: decodeSource(source), ...name };
  const text =
    typeof source.content === 'string'
      ? source.content
      : source.content.map((block) => block.text).join('\n');
  return { type: 'document', source: { kind: 'text', text }, ...name };
}

function decodeSource(source: ImageBlock['source']): MediaSource {
  if (source.type === 'url') return { kind: 'url', url: source.url };
  if (source.type === 'file') return { kind: 'file', fileId: source.file_id };
  const read = readDataUrl(`data:${source.media_type};base64,${source.data}`);
  return {
    kind: 'data',
    mediaType: read?.mediaType ?? source.media_type,
    base64: read?.base64 ?? source.data,
  };
}

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export function encodeImage({ source }: ImagePart): AnyBlock {
  if (source.kind === 'data' && !imageTypes.includes(source.mediaType))
    throw new UntranslatableError(
      `The model takes PNG, JPEG, GIF and WebP images, not ${source.mediaType}.`,
      'messages',
    );
  return { type: 'image', source: encodeSource(source) };
}

export function encodeDocument(document: DocumentPart): AnyBlock {
  const { source, name } = document;
  const title = name === undefined ? {} : { title: name };
  if (source.kind === 'text') return { type: 'document', source: encodeText(source.text), ...title };
  if (source.kind !== 'data' || source.mediaType === 'application/pdf')
    return { type: 'document', source: encodeSource(source), ...title };
  const text = readDocumentText(document);
  if (text !== null) return { type: 'document', source: encodeText(text), ...title };
  throw new UntranslatableError(
    `The model takes PDF and text documents, not ${source.mediaType}.`,
    'messages',
  );
}

function encodeText(text: string): object {
  return { type: 'text', media_type: 'text/plain', data: text };
}

function encodeSource(source: MediaSource): object {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  if (source.kind === 'data') return { type: 'base64', media_type: source.mediaType, data: source.base64 };
  throw new UntranslatableError(
    `Only the provider that holds the file '${source.fileId}' can read it; send its bytes instead.`,
    'messages',
  );
}
