import type {
  DocumentPart,
  ImagePart,
  MediaSource,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import { readDataUrl } from '../data-url.ts';
import { readDocumentText, toUrlSource } from '../translation/media-source.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import {
  type AnyBlock,
  encodeCacheMark,
  encodeToolId,
  readBlock,
  readCacheMark,
  refuseBlock,
  textBlock,
} from './block.ts';
import * as wire from './wire.ts';

type ImageBlock = Extract<wire.ResultBlock, { type: 'image' }>;
type DocumentBlock = Extract<wire.ResultBlock, { type: 'document' }>;

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
  if (source.type === 'url') return toUrlSource(source.url);
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
      `The model accepts PNG, JPEG, GIF and WebP images, not ${source.mediaType}.`,
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
    `The model accepts PDF and text documents, not ${source.mediaType}.`,
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
    `Only the provider that stores the file '${source.fileId}' can read it; send its content instead.`,
    'messages',
  );
}

type ResultPart = TextPart | ImagePart | DocumentPart;
type ToolResultBlock = Extract<wire.UserBlock, { type: 'tool_result' }>;

/** Returns tool results before all other parts. `nameOf` returns a call's tool name. */
export function decodeUserBlocks(
  blocks: readonly AnyBlock[],
  path: readonly PropertyKey[],
  nameOf: (callId: string) => string | undefined,
): UserPart[] {
  const parts = blocks.map((raw, index): UserPart => {
    const blockPath = [...path, index];
    const block = readBlock(wire.userBlock, raw, blockPath) ?? refuseBlock(raw, blockPath);
    const part =
      block.type === 'tool_result'
        ? decodeToolResult(block, blockPath, nameOf(block.tool_use_id))
        : decodeResultBlock(block);
    return { ...part, ...readCacheMark(raw) };
  });
  return putResultsFirst(parts, (part) => part.type === 'tool-result');
}

function decodeToolResult(
  block: ToolResultBlock,
  path: readonly PropertyKey[],
  name: string | undefined,
): ToolResultPart {
  const content = typeof block.content === 'string' ? [textBlock(block.content)] : (block.content ?? []);
  const contentPath = [...path, 'content'];
  const parts = content.map((raw, index): ResultPart => {
    const rawPath = [...contentPath, index];
    const block = readBlock(wire.resultBlock, raw, rawPath) ?? refuseBlock(raw, rawPath);
    return { ...decodeResultBlock(block), ...readCacheMark(raw) };
  });
  return {
    type: 'tool-result',
    callId: block.tool_use_id,
    ...(name !== undefined && { name }),
    parts,
    isError: block.is_error === true,
  };
}

function decodeResultBlock(block: wire.ResultBlock): ResultPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return decodeImage(block);
    case 'document':
      return decodeDocument(block);
    case 'tool_reference':
      return { type: 'text', text: `The tool '${block.tool_name}' can be called now.` };
    case 'search_result': {
      const text = [block.source, ...block.content.map((part) => part.text)].join('\n');
      return { type: 'document', source: { kind: 'text', text }, name: block.title };
    }
  }
}

/** Blank texts are omitted, since Anthropic rejects them. */
export function encodeUserParts(parts: readonly UserPart[]): AnyBlock[] {
  const blocks = parts.flatMap((part) =>
    part.type === 'tool-result' ? [encodeToolResult(part)] : encodePart(part),
  );
  return putResultsFirst(blocks, (block) => block.type === 'tool_result');
}

function encodeToolResult({ callId, parts, isError, ...marked }: ToolResultPart): AnyBlock {
  const content = parts.flatMap(encodePart);
  return {
    type: 'tool_result',
    tool_use_id: encodeToolId(callId),
    ...(content.length > 0 && { content }),
    ...(isError && { is_error: true }),
    ...encodeCacheMark(marked),
  };
}

function encodePart(part: Exclude<UserPart, ToolResultPart>): AnyBlock[] {
  return encodeContent(part).map((block) => ({ ...block, ...encodeCacheMark(part) }));
}

function encodeContent(part: Exclude<UserPart, ToolResultPart>): AnyBlock[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [textBlock(part.text)];
    case 'image':
      return [encodeImage(part)];
    case 'document':
      return [encodeDocument(part)];
    case 'audio':
      throw new UntranslatableError('The model does not accept audio.', 'messages');
  }
}

/** Moves tool results to the front, because Anthropic requires them before other content of a user turn. */
export function putResultsFirst<Item>(items: readonly Item[], isResult: (item: Item) => boolean): Item[] {
  return [...items.filter(isResult), ...items.filter((item) => !isResult(item))];
}
