import { isObject, readText } from '../json/json-value.ts';
import type { BlockWriter, CallBlock } from '../translation/block-writer.ts';
import { makeCallId } from '../translation/call-id.ts';
import { type ExtraContent, readProviderCallSignature } from './call-signature.ts';
import type { WireMessage, WireToolCall } from './wire.ts';

/** Reads tool calls. */
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

export function createCallReader(writer: BlockWriter, seed: string): CallReader {
  const calls: KnownCall[] = [];

  const readCall = ({ index, id, function: called, extra_content }: WireToolCall) => {
    const givenId = readText(id);
    const name = readText(called?.name);
    let call = findCall(calls, index, givenId, name);
    if (call) call.block.name ||= name;
    else {
      const madeId = () => makeCallId(`${seed}/${calls.length}/${name}`);
      call = {
        index,
        givenId,
        block: { kind: 'tool-input', id: givenId || madeId(), name, text: '' },
        extra: null,
      };
      calls.push(call);
      writer.begin(call.block);
    }
    if (isObject(extra_content)) {
      call.extra = { ...call.extra, ...extra_content };
      call.block.signature = readProviderCallSignature(call.extra);
    }
    writer.grow(call.block, readArguments(called?.arguments));
  };

  return {
    count: () => calls.length,
    read({ tool_calls, function_call }) {
      if (Array.isArray(tool_calls)) for (const call of tool_calls) if (isObject(call)) readCall(call);
      if (isObject(function_call)) readCall({ index: 'legacy', function: function_call });
    },
  };
}

/**
 * Finds the call of a fragment. Some providers omit the index or repeat it: then a new id, or a name without an id,
 * starts a new call.
 */
function findCall(
  calls: readonly KnownCall[],
  index: unknown,
  givenId: string,
  name: string,
): KnownCall | null {
  const last = calls.findLast((call) => index == null || call.index === index);
  if (!last) return null;
  if (givenId !== '') return last.givenId === '' || last.givenId === givenId ? last : null;
  return index == null && name !== '' ? null : last;
}

/** Returns arguments as JSON text; some vendors send the object itself. */
function readArguments(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : readText(value);
}
