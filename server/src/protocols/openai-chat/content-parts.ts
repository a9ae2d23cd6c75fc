import type { AudioPart, CacheMark, DocumentPart, ImagePart, TextPart } from '../canonical/content.ts';
import { writeDataUrl } from '../data-url.ts';
import {
  decodeInputAudio,
  encodeImageUrl,
  inlineDocument,
  readMediaSource,
} from '../translation/media-source.ts';
import { foreignFile, UntranslatableError } from '../translation/untranslatable.ts';
import type { InputPart } from './wire.ts';

export type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart;

export function decodePart(part: InputPart, path: string): ContentPart {
  return { ...decodeContent(part, path), ...('cache_control' in part && readCacheMark(part)) };
}

export function decodeText(part: Extract<InputPart, { type: 'text' }>): TextPart {
  return { type: 'text', text: part.text, ...readCacheMark(part) };
}

/** Returns an object without fields if there is no mark. */
export function readCacheMark({ cache_control: mark }: Marked): { readonly cacheMark?: CacheMark } {
  return mark ? { cacheMark: mark.ttl == null ? {} : { ttl: mark.ttl } } : {};
}

interface Marked {
  readonly cache_control?: { readonly ttl?: string | null | undefined } | null | undefined;
}

export function encodeCacheMark({ cacheMark }: { readonly cacheMark?: CacheMark }): object {
  return cacheMark ? { cache_control: { type: 'ephemeral', ...cacheMark } } : {};
}

function decodeContent(part: InputPart, path: string): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image_url': {
      const { url, detail } = { detail: undefined, ...part.image_url };
      const source = readMediaSource(url, `${path}.image_url.url`);
      const known = detail === 'original' ? 'high' : detail;
      return { type: 'image', source, ...(known != null && { detail: known }) };
    }
    case 'input_audio':
      return decodeInputAudio(part.input_audio);
    case 'file':
      return decodeFile(part.file, `${path}.file`);
    case 'document_url':
      return {
        type: 'document',
        source: readMediaSource(part.document_url, `${path}.document_url`),
        ...(part.document_name != null && { name: part.document_name }),
      };
    default:
      throw new UntranslatableError(`A part of type '${part.type}' is not allowed here.`, `${path}.type`);
  }
}

type File = Extract<InputPart, { type: 'file' }>['file'];

function decodeFile({ file_data, file_id, filename }: File, path: string): DocumentPart {
  const name = filename == null ? {} : { name: filename };
  if (file_id != null && file_data != null)
    throw new UntranslatableError(
      "A file accepts either 'file_data' or 'file_id', not both.",
      `${path}.file_id`,
    );
  if (file_id != null) return { type: 'document', source: { kind: 'file', fileId: file_id }, ...name };
  if (file_data == null)
    throw new UntranslatableError("A file requires 'file_data' or 'file_id'.", `${path}.file_data`);
  return { type: 'document', source: readMediaSource(file_data, `${path}.file_data`), ...name };
}

export function encodePart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return encodeImageUrl(part);
    case 'document':
      return encodeDocument(part);
    case 'audio':
      return { type: 'input_audio', input_audio: encodeAudio(part) };
  }
}

function encodeDocument({ source, name }: DocumentPart): object {
  switch (source.kind) {
    case 'text':
      return { type: 'text', text: inlineDocument(name, source.text) };
    case 'file':
      return {
        type: 'file',
        file: { file_id: source.fileId, ...(name !== undefined && { filename: name }) },
      };
    case 'data':
      return { type: 'file', file: { filename: name ?? 'document', file_data: writeDataUrl(source) } };
    case 'url':
      throw new UntranslatableError(
        'The provider of this model does not accept document URLs; send the document as base64 data.',
        'messages',
      );
  }
}

function encodeAudio({ source }: AudioPart): object {
  if (source.kind === 'file') throw foreignFile('sound');
  if (source.kind === 'url')
    throw new UntranslatableError(
      'The provider of this model does not accept audio URLs; send the audio as base64 data.',
      'messages',
    );
  const format = source.mediaType.replace(/^audio\/(x-)?/, '');
  return { data: source.base64, format: format === 'mpeg' ? 'mp3' : format };
}
