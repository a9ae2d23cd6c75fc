import { isObject, readText } from '../json/json-value.ts';
import type { BlockWriter, CallBlock } from '../translation/block-writer.ts';
import { makeCallId } from '../translation/call-id.ts';
import type { WireToolCall } from './wire.ts';

/** Reads the calls of tools in a stream, each under the index that its events share. */
export interface CallReader {
  start(index: unknown, call: unknown): void;
  grow(index: unknown, call: unknown): void;
  end(index: unknown): void;
  count(): number;
}

interface OpenCall {
  readonly block: CallBlock;
  /** Arguments that may yet turn out to be none. */
  held: string;
}

/** `seed` tells this answer from all others of the conversation, for calls that come without an id. */
export function createCallReader(writer: BlockWriter, seed: () => string): CallReader {
  const calls = new Map<unknown, OpenCall>();
  let count = 0;

  const grow = (index: unknown, call: unknown) => {
    const open = calls.get(index);
    if (!open || !isObject(call)) return;
    const { function: called }: WireToolCall = call;
    open.held += readText(called?.arguments);
    // No arguments may be written as null.
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
