import type { StreamEvent } from '../canonical/stream-event.ts';
import { isObject, readText } from '../json/json-value.ts';
import { type BlockWriter, type CallBlock, createBlockWriter } from '../translation/block-writer.ts';
import { makeCallId } from '../translation/call-id.ts';
import { readFinish, readNativeReason } from './finish-reason.ts';
import { createPartialArguments, type PartialArguments } from './partial-arguments.ts';
import { readSignature } from './signature.ts';
import type { AnswerCall, AnswerCandidate, AnswerPart } from './wire.ts';

/** Reads the parts of one candidate, complete or in chunks. */
export interface CandidateDecoder {
  read(candidate: AnswerCandidate): void;
  /** Closes the open block when a stream breaks off. */
  close(): void;
  /** Finishes the candidate if it has a finish reason. Some models send one in every chunk, so the last one counts. */
  finish(): void;
}

interface PartialCall {
  readonly block: CallBlock;
  readonly arguments: PartialArguments;
}

/**
 * Creates a decoder. `seed` must be unique to this candidate, so that generated call IDs do not repeat in a
 * conversation.
 */
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

/** Parts of Google's own tools are ignored. */
function readPart(part: AnswerPart, writer: BlockWriter, calls: CallReader): void {
  const text = readText(part.text);
  const read = readSignature(readText(part.thoughtSignature));
  if (isObject(part.functionCall)) {
    calls.read(part.functionCall, read?.signature);
    return;
  }
  const isThought = part.thought === true;
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

/** Whether the part belongs to one of Google's own tools, such as executed code; its signature is ignored too. */
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
  /** Emits a call whose last piece is missing. */
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
