import { isObject, readText } from '../json/json-value.ts';
import type { BlockWriter, CallBlock } from '../translation/block-writer.ts';
import { makeCallId } from '../translation/call-id.ts';
import type { WireToolCall } from './wire.ts';

/** Reads the tool calls of a stream. Events of the same call share an index. */
export interface CallReader {
  start(index: unknown, call: unknown): void;
  grow(index: unknown, call: unknown): void;
  end(index: unknown): void;
  count(): number;
}

interface OpenCall {
  readonly block: CallBlock;
  /** Arguments not yet emitted because they may turn out to be `null`. */
  held: string;
}

/**
 * Creates a reader. `seed` must be unique to this response, so that generated call IDs do not repeat in a conversation.
 */
export function createCallReader(writer: BlockWriter, seed: () => string): CallReader {
  const calls = new Map<unknown, OpenCall>();
  let count = 0;

  const grow = (index: unknown, call: unknown) => {
    const open = calls.get(index);
    if (!open || !isObject(call)) return;
    const { function: called }: WireToolCall = call;
    open.held += readText(called?.arguments);
    // Cohere may write missing arguments as `null`.
    if ('null'.startsWith(open.held.trim())) return;
    writer.grow(open.block, open.held);
    open.held = '';
  };

  return {
    start(index, call) {
      const { id, function: called }: WireToolCall = isObject(call) ? call : {};
      const name = readText(called?.name);
      const callId = readText(id) || makeCallId(`${seed()}/${count}/${name}`);
      const block: CallBlock = { kind: 'tool-input', id: callId, name, text: '' };
      count++;
      calls.set(index, { block, held: '' });
      writer.begin(block);
      grow(index, call);
    },
    grow,
    end(index) {
      const open = calls.get(index);
      if (open) open.block.isWhole = true;
      calls.delete(index);
    },
    count: () => count,
  };
}
