import { isObject, readText } from '../json/json-value.ts';
import type { BlockWriter } from '../translation/block-writer.ts';
import { fillArguments } from '../translation/call-arguments.ts';
import { makeCallId } from '../translation/call-id.ts';
import type { WireToolCall } from './wire.ts';

/** Reads tool calls, each of which arrives complete. */
export interface CallReader {
  read(calls: unknown): void;
  count(): number;
}

/**
 * Creates a reader. `seed` must be unique to this response, so that generated call IDs do not repeat in a conversation.
 */
export function createCallReader(writer: BlockWriter, seed: () => string): CallReader {
  let count = 0;
  const readCall = ({ id, function: called }: WireToolCall) => {
    const name = readText(called?.name);
    const json = writeArguments(called?.arguments);
    const callId = readText(id) || makeCallId(`${seed()}/${count}/${name}/${json}`);
    count++;
    writer.begin({
      kind: 'tool-input',
      id: callId,
      name,
      text: json === '{}' ? '' : json,
      isWhole: true,
    });
  };
  return {
    read(calls) {
      if (Array.isArray(calls)) for (const call of calls.filter(isObject)) readCall(call);
    },
    count: () => count,
  };
}

function writeArguments(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : fillArguments(readText(value));
}
