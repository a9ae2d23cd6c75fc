import { isObject, readText } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import type { ReasoningField } from '../canonical/request.ts';
import type { Finish, FinishReason } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { readAnswerImage } from '../translation/answer-images.ts';
import {
  appendImage,
  appendText,
  type BlockWriter,
  type CallBlock,
  createBlockWriter,
  type ReasoningBlock,
} from '../translation/block-writer.ts';
import { signField } from '../translation/reasoning-field.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { type ExtraContent, readProviderCallSignature } from './call-signature.ts';
import { isEncrypted, keepDetail } from './reasoning.ts';
import {
  type ReasoningDetail,
  reasoningDetail,
  type WireImage,
  type WireMessage,
  type WireToolCall,
} from './wire.ts';

/** Unknown reasons map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  error: 'error',
  insufficient_system_resource: 'error',
};

/**
 * Maps the finish reason. With `hasCalls`, the response ended with tool calls: the native reason is `stop` for a
 * forced tool choice, and some vendors report calls without making any.
 */
export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const told = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  const isWhole = told === 'stop' || told === 'tool-calls';
  return { reason: isWhole ? (hasCalls ? 'tool-calls' : 'stop') : told, native: word };
}

const words: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'error',
};

export function writeFinishReason({ reason }: Finish): string {
  return words[reason];
}

export interface ChoiceDecoder {
  read(message: WireMessage): void;
  /** Only the first reason counts, since some providers repeat it. */
  finish(native: unknown): void;
  close(): void;
}

/** `seed` distinguishes this choice from all others in the conversation, for calls that arrive without an id. */
export function createChoiceDecoder(
  choice: number,
  seed: string,
  emit: (event: StreamEvent) => void,
): ChoiceDecoder {
  const writer = createBlockWriter(choice, emit);
  const calls = createCallReader(writer, seed);
  let isFinished = false;
  return {
    read(message) {
      if (isFinished) return;
      readReasoning(message, writer);
      readContent(message.content, writer);
      readImages(message.images, writer);
      const refusal = readText(message.refusal);
      if (refusal !== '') emit({ type: 'refusal-delta', choice, text: refusal });
      calls.read(message);
    },
    finish(native) {
      if (isFinished) return;
      writer.close();
      isFinished = true;
      emit({ type: 'finish', choice, finish: readFinish(native, calls.count() > 0) });
    },
    close: writer.close,
  };
}

/** Reads the content: a text, or Mistral's list of reasoning and text parts. */
function readContent(content: unknown, writer: BlockWriter): void {
  if (typeof content === 'string') appendText(writer, 'text', content);
  else if (Array.isArray(content))
    for (const piece of content.filter(isObject)) {
      if ('text' in piece) appendText(writer, 'text', readText(piece.text));
      else if ('thinking' in piece) growThought(readThoughts(piece.thinking), 'thinking', writer);
      else readImage(piece, writer);
    }
}

function readImages(images: unknown, writer: BlockWriter): void {
  if (Array.isArray(images)) for (const entry of images.filter(isObject)) readImage(entry, writer);
}

function readImage({ image_url, extra_content: extra }: WireImage, writer: BlockWriter): void {
  const url = isObject(image_url) && 'url' in image_url ? image_url.url : image_url;
  const image = readAnswerImage(readText(url));
  if (!image) return;
  const signature = isObject(extra) ? readProviderCallSignature({ ...extra }) : undefined;
  appendImage(writer, { ...image, ...(signature && { signature }) });
}

function readThoughts(thinking: unknown): string {
  if (!Array.isArray(thinking)) return readText(thinking);
  return thinking
    .filter(isObject)
    .map((thought) => ('text' in thought ? readText(thought.text) : ''))
    .join('');
}

export interface CallReader {
  read(message: WireMessage): void;
  count(): number;
}

interface KnownCall {
  readonly index: unknown;
  readonly givenId: string;
  readonly block: CallBlock;
  extra: ExtraContent | null;
}

function createCallReader(writer: BlockWriter, seed: string): CallReader {
  const calls = createCallList();

  const readCall = ({ index, id, function: called, extra_content }: WireToolCall) => {
    const givenId = readText(id);
    const name = readText(called?.name);
    let call = calls.find(index, givenId, name);
    if (call) call.block.name ||= name;
    else {
      const madeId = () => makeCallId(`${seed}/${calls.count()}/${name}`);
      call = {
        index,
        givenId,
        block: { kind: 'tool-input', id: givenId || madeId(), name, text: '' },
        extra: null,
      };
      calls.add(call);
      writer.begin(call.block);
    }
    if (isObject(extra_content)) {
      call.extra = { ...call.extra, ...extra_content };
      call.block.signature = readProviderCallSignature(call.extra);
    }
    writer.grow(call.block, readArguments(called?.arguments));
  };

  return {
    count: calls.count,
    read({ tool_calls, function_call }) {
      if (Array.isArray(tool_calls)) for (const call of tool_calls) if (isObject(call)) readCall(call);
      if (isObject(function_call)) readCall({ index: 'legacy', function: function_call });
    },
  };
}

interface CallList {
  add(call: KnownCall): void;
  count(): number;
  /** Some providers omit or repeat the index; a new id, or a name without an id, then starts a new call. */
  find(index: unknown, givenId: string, name: string): KnownCall | null;
}

/** Creates a list that finds a call without a search, since a response may contain many calls. */
function createCallList(): CallList {
  const latestByIndex = new Map<unknown, KnownCall>();
  let latest: KnownCall | null = null;
  let count = 0;
  return {
    add(call) {
      latest = call;
      latestByIndex.set(call.index, call);
      count++;
    },
    count: () => count,
    find(index, givenId, name) {
      const last = index == null ? latest : (latestByIndex.get(index) ?? null);
      if (!last) return null;
      if (givenId !== '') return last.givenId === '' || last.givenId === givenId ? last : null;
      return index == null && name !== '' ? null : last;
    },
  };
}

/** Some vendors send an object instead of text. */
function readArguments(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : readText(value);
}

interface Thought extends ReasoningBlock {
  /** Entry of `reasoning_details` from which the block was read, as received so far. */
  detail?: ReasoningDetail;
}

/** Reads reasoning from the fields that a provider uses. The field with signatures also contains the text. */
function readReasoning(
  { reasoning_details: details, reasoning_content, reasoning }: WireMessage,
  writer: BlockWriter,
): void {
  const entries: readonly unknown[] = Array.isArray(details) ? details : [];
  if (entries.length === 0) {
    const field = readText(reasoning_content) === '' ? 'reasoning' : 'reasoning_content';
    growThought(field === 'reasoning' ? readText(reasoning) : readText(reasoning_content), field, writer);
  }
  for (const entry of entries) {
    const { data } = quickParse(reasoningDetail, entry);
    if (data) readDetail(data, writer);
  }
}

function growThought(text: string, field: ReasoningField, writer: BlockWriter): void {
  if (text === '') return;
  const latest = latestThought(writer);
  const block = latest && !latest.detail ? latest : beginThought(writer, false);
  block.signature ??= signField(field);
  writer.grow(block, text);
}

function readDetail(detail: ReasoningDetail, writer: BlockWriter): void {
  const text = detail.text ?? detail.summary ?? '';
  const latest = latestThought(writer);
  const isProof = latest !== null && !latest.detail && proves(detail, text, latest);
  const isContinued = latest?.detail !== undefined && continues(latest.detail, detail);
  const block = latest && (isProof || isContinued) ? latest : beginThought(writer, isEncrypted(detail.type));
  block.detail = { ...block.detail, ...detail };
  block.signature = keepDetail(block.detail);
  if (!isProof) writer.grow(block, text);
}

function latestThought(writer: BlockWriter): Thought | null {
  const block = writer.latest();
  return block?.kind === 'reasoning' ? block : null;
}

function beginThought(writer: BlockWriter, isRedacted: boolean): Thought {
  const block: Thought = { kind: 'reasoning', text: '', isRedacted };
  writer.begin(block);
  return block;
}

/**
 * Returns whether an entry continues the previous one. An encrypted entry is always complete, and a signature ends a
 * text.
 */
function continues(before: ReasoningDetail, detail: ReasoningDetail): boolean {
  if (isEncrypted(detail.type) || before.type !== detail.type || before.index !== detail.index) return false;
  return before.signature == null || (detail.text ?? '') === '';
}

/**
 * Returns whether an entry only signs reasoning that was already sent. The gateway itself sends signatures this way.
 */
function proves(detail: ReasoningDetail, text: string, told: Thought): boolean {
  return !isEncrypted(detail.type) && (text === '' || text === told.text);
}
