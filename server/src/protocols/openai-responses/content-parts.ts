import type {
  DocumentPart,
  ImagePart,
  MediaSource,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import { writeDataUrl } from '../data-url.ts';
import { decodeInputAudio, inlineDocument, readMediaSource } from '../translation/media-source.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

/** Tool results are separate items. */
export type ContentPart = Exclude<UserPart, { type: 'tool-result' }>;

/** Called with the name of each field that has no canonical form. */
export type NoteLeftOut = (name: string) => void;

export function readPart(value: object, path: string): wire.InputPart {
  return readFields(wire.inputPart, value, path);
}

export function decodePart(part: wire.InputPart, path: string): ContentPart {
  switch (part.type) {
    case 'refusal':
      throw new UntranslatableError('Only an assistant message can contain a refusal.', `${path}.type`);
    case 'input_image':
      return decodeImage(part, path);
    case 'input_file':
      return decodeFile(part, path);
    case 'input_audio':
      return decodeInputAudio(part.input_audio);
    default:
      return { type: 'text', text: part.text };
  }
}

type Part<Type> = Extract<wire.InputPart, { type: Type }>;

function decodeImage(
  { image_url, file_id, detail }: Pick<Part<'input_image'>, 'image_url' | 'file_id' | 'detail'>,
  path: string,
): ImagePart {
  const source = readSource(image_url, file_id, path, 'image_url');
  return {
    type: 'image',
    source,
    ...(detail != null && { detail: detail === 'original' ? 'high' : detail }),
  };
}

function decodeFile(part: Part<'input_file'>, path: string): DocumentPart {
  const { file_data, file_url, file_id, filename } = part;
  const field = file_url == null ? 'file_data' : 'file_url';
  const source = readSource(file_url ?? file_data, file_id, path, field);
  return { type: 'document', source, ...(filename != null && { name: filename }) };
}

function readSource(
  url: string | null | undefined,
  fileId: string | null | undefined,
  path: string,
  field: string,
): MediaSource {
  if (url != null && fileId != null)
    throw new UntranslatableError(
      `The part accepts either '${field}' or 'file_id', not both.`,
      `${path}.file_id`,
    );
  if (url != null) return readMediaSource(url, `${path}.${field}`);
  if (fileId != null) return { kind: 'file', fileId };
  throw new UntranslatableError(`The part requires '${field}' or 'file_id'.`, `${path}.${field}`);
}

export function encodePart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return encodeImage(part);
    case 'document':
      return encodeDocument(part);
    case 'audio':
      throw new UntranslatableError('The provider of this model does not accept audio.', 'messages');
  }
}

function encodeImage({ source, detail }: ImagePart): object {
  const fields =
    source.kind === 'file'
      ? { file_id: source.fileId }
      : { image_url: source.kind === 'url' ? source.url : writeDataUrl(source) };
  return { type: 'input_image', ...fields, ...(detail !== undefined && { detail }) };
}

function encodeDocument({ source, name }: DocumentPart): object {
  const titled = name === undefined ? {} : { filename: name };
  switch (source.kind) {
    case 'text':
      return { type: 'input_text', text: inlineDocument(name, source.text) };
    case 'file':
      return { type: 'input_file', file_id: source.fileId, ...titled };
    case 'url':
      return { type: 'input_file', file_url: source.url, ...titled };
    case 'data':
      return { type: 'input_file', filename: name ?? 'document', file_data: writeDataUrl(source) };
  }
}

/** Encodes a single text as a string, since not every vendor accepts a list with one part. */
export function encodeContent(parts: readonly ContentPart[]): string | object[] {
  const [first] = parts;
  if (!first) return '';
  return parts.length === 1 && first.type === 'text' ? first.text : parts.map(encodePart);
}

export function asText(part: ContentPart, path: string): TextPart {
  if (part.type === 'text') return part;
  throw new UntranslatableError('A system message can only contain text.', path);
}

// A tool that only OpenAI's models support, such as a shell, has no canonical form. If a client ran the tool, the
// call and its result are translated like those of any other tool.

/** Returns the ids of the calls that have a result. The provider itself ran all other calls. */
export function listAnsweredIds(items: readonly wire.Item[]): ReadonlySet<unknown> {
  const idsOf = (ending: string) =>
    new Set(items.flatMap(({ type, call_id }) => (type?.endsWith(ending) && call_id ? [call_id] : [])));
  return idsOf('_call').intersection(idsOf('_output'));
}

export function readOtherCall(item: wire.Item, path: string): ToolCallPart {
  const { call_id: id } = readFields(wire.otherItem, item, path);
  const name = (item.type ?? '').replace(/_call$/, '');
  return { type: 'tool-call', id, name, arguments: JSON.stringify(dropIdentity(item)) };
}

export function readOtherOutput(item: wire.Item, path: string): Pick<ToolResultPart, 'callId' | 'parts'> {
  const { call_id: callId } = readFields(wire.otherItem, item, path);
  const { output, ...others } = dropIdentity(item);
  const screenshot = wire.screenshot.safeParse(output);
  if (screenshot.success) return { callId, parts: [decodeImage(screenshot.data, `${path}.output`)] };
  const isPlain = typeof output === 'string' && Object.keys(others).length === 0;
  const text = isPlain ? output : JSON.stringify({ output, ...others });
  return { callId, parts: [{ type: 'text', text }] };
}

function dropIdentity({ type: _type, id: _id, call_id: _callId, status: _status, ...told }: wire.Item) {
  return told;
}
