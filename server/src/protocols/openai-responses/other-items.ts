import type { ToolCallPart, ToolResultPart } from '../canonical/content.ts';
import { readFields } from '../translation/read-fields.ts';
import { decodeImage } from './content-parts.ts';
import * as wire from './wire.ts';

// Calls of tools that only OpenAI's models know, such as its shell. The tool has no other form, but if a client ran it,
// the call and its result are translated like those of any tool.

/** Lists the ids of calls with a result from the client; the provider ran the others itself. */
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
