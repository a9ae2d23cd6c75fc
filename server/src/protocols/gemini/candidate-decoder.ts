import { isObject, readText } from '#json/json-value.ts';
import type { Finish, FinishReason } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import {
  appendImage,
  appendText,
  type BlockWriter,
  type CallBlock,
  createBlockWriter,
} from '../translation/block-writer.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { readAnswerMedia } from './media.ts';
import { createPartialArguments, type PartialArguments } from './partial-arguments.ts';
import { readSignature } from './signature.ts';
import type { AnswerCall, AnswerCandidate, AnswerPart } from './wire.ts';

/** Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  ESCALATION: 'content-filter',
  PUP_LIMITED_DISABLED: 'content-filter',
  OTHER: 'error',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  MISSING_THOUGHT_SIGNATURE: 'error',
  MALFORMED_RESPONSE: 'error',
  IMAGE_OTHER: 'error',
  NO_IMAGE: 'error',
};

/** Enum values by number, as some Google clients request them. */
const byNumber = [
  ...['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER', 'LANGUAGE'],
  ...['BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY'],
  'UNEXPECTED_TOOL_CALL',
];

/** Returns `null` if there is no finish reason yet. */
export function readNativeReason(value: unknown): string | null {
  const word = typeof value === 'number' ? byNumber[value] : value;
  return typeof word === 'string' && word !== '' && word !== 'FINISH_REASON_UNSPECIFIED' ? word : null;
}

/** `STOP` is also used for a response with tool calls, which `hasCalls` indicates. */
export function readFinish(native: string, hasCalls: boolean, message = ''): Finish {
  const reason = reasonOf(native) ?? 'stop';
  if (reason === 'error' && message !== '') return { reason, native, message };
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native };
}

const words: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  error: 'OTHER',
};

/**
 * Returns Google's finish reason: the native reason if it comes from Google, otherwise one that matches the canonical
 * reason.
 */
export function writeFinishReason({ reason, native }: Finish): string {
  return native !== null && reasonOf(native) === reason ? native : words[reason];
}

function reasonOf(native: string): FinishReason | undefined {
  return Object.hasOwn(reasons, native) ? reasons[native] : undefined;
}

export interface CandidateDecoder {
  read(candidate: AnswerCandidate): void;
  close(): void;
  /** Emits the last finish reason, since some models send one in every chunk. */
  finish(): void;
}

interface PartialCall {
  readonly block: CallBlock;
  readonly arguments: PartialArguments;
}

/** `seed` must be unique to this candidate, so that generated call IDs do not repeat in a conversation. */
export function createCandidateDecoder(
  choice: number,
  seed: string,
  emit: (event: StreamEvent) => void,
): CandidateDecoder {
  const writer = createBlockWriter(choice, emit);
  const calls = createCallReader(writer, seed);
  let native: string | null = null;
  let message = '';
  return {
    read({ content, finishReason, finishMessage }) {
      const parts = content?.parts;
      for (const part of Array.isArray(parts) ? parts : []) if (isObject(part)) readPart(part, writer, calls);
      native = readNativeReason(finishReason) ?? native;
      message = readText(finishMessage) || message;
    },
    close: () => writer.close(),
    finish() {
      if (native === null) return;
      calls.flush();
      writer.close();
      const finish = readFinish(native, calls.count() > 0, message);
      if (finish.reason === 'content-filter' && message !== '')
        emit({ type: 'refusal-delta', choice, text: message });
      emit({ type: 'finish', choice, finish });
    },
  };
}

/** Ignores parts of Google's own tools. */
function readPart(part: AnswerPart, writer: BlockWriter, calls: CallReader): void {
  const text = readText(part.text);
  const read = readSignature(readText(part.thoughtSignature));
  if (isObject(part.functionCall)) {
    calls.read(part.functionCall, read?.signature);
    return;
  }
  const isThought = part.thought === true;
  const media = readAnswerMedia(part);
  if (media) {
    // Images in thoughts are drafts of the final image.
    if (media.type === 'text') appendText(writer, 'text', media.text);
    else if (!isThought) appendImage(writer, { ...media, ...(read && { signature: read.signature }) });
    return;
  }
  let block = writer.latest();
  if (text !== '') {
    const kind = isThought ? 'reasoning' : 'text';
    if (block?.kind !== kind || block.signature) {
      block = isThought ? { kind: 'reasoning', isRedacted: false, text: '' } : { kind: 'text', text: '' };
      writer.begin(block);
    }
    writer.grow(block, text);
  }
  if (!read || isGooglesOwn(part)) return;
  const { signature, isRedacted } = read;
  if (isThought && !isRedacted && block?.kind === 'reasoning' && !block.signature)
    block.signature = signature;
  else writer.begin({ kind: 'reasoning', isRedacted: true, text: '', signature });
}

/**
 * Returns whether the part belongs to one of Google's own tools, such as executed code. The part's signature is
 * ignored too.
 */
function isGooglesOwn({
  text,
  thought: _thought,
  thoughtSignature: _signature,
  ...rest
}: AnswerPart): boolean {
  return text === undefined && Object.keys(rest).length > 0;
}

interface CallReader {
  read(call: AnswerCall, signature: CallBlock['signature']): void;
  count(): number;
  flush(): void;
}

function createCallReader(writer: BlockWriter, seed: string): CallReader {
  let callCount = 0;
  let partial: PartialCall | null = null;

  const flush = () => {
    if (partial) writer.begin({ ...partial.block, text: partial.arguments.toJson() });
    partial = null;
  };

  return {
    count: () => callCount,
    flush,
    read({ name: named, id, args, partialArgs, willContinue }, signature) {
      const name = readText(named);
      if (name !== '') {
        flush();
        const callId = readText(id) || makeCallId(`${seed}/${callCount}/${name}`);
        callCount++;
        const block: CallBlock = { kind: 'tool-input', id: callId, name, text: '' };
        if (signature) block.signature = signature;
        partial = { block, arguments: createPartialArguments(args) };
      }
      if (partial === null) return;
      if (Array.isArray(partialArgs)) for (const piece of partialArgs) partial.arguments.add(piece);
      if (willContinue !== true) flush();
    },
  };
}
