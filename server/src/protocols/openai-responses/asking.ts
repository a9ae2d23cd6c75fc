import { type Asking, readAsking } from '../asking.ts';
import { isObject } from '../json/json-value.ts';
import type { Utterance } from '../new-texts.ts';
import type { ResponsesRequest } from './wire.ts';

type Item = Exclude<NonNullable<ResponsesRequest['input']>, string>[number];

/** Returns what a request for a response asks for. */
export function readResponsesAsking(fields: ResponsesRequest): Asking {
  const { input, instructions, tools, ...others } = fields;
  const { text, prompt, previous_response_id: previous, conversation } = others;
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
  const isKept = previous != null || conversation != null || items.some(isReference);
  const utterances: Utterance[] = [
    { speaker: 'setting', content: others },
    { speaker: 'definition', content: [tools, text?.format] },
    { speaker: 'guide', content: instructions },
    // Variables of a stored prompt.
    {
      speaker: 'human',
      content: isObject(prompt) && 'variables' in prompt ? { variables: prompt.variables } : null,
    },
    ...items.map(toUtterance),
  ];
  return readAsking(utterances, isKept);
}

/** An item without a type is a message, or a reference to one stored by the provider. */
function isReference({ type, role }: Item): boolean {
  return type === 'item_reference' || (type == null && role == null);
}

const speakers: Readonly<Record<string, Utterance['speaker']>> = {
  assistant: 'model',
  system: 'guide',
  developer: 'guide',
};

function toUtterance(item: Item): Utterance {
  const { type, role, call_id: callId } = item;
  // All tool results have types such as `function_call_output` and `custom_tool_call_output`.
  if (type?.endsWith('_output')) return { speaker: 'tool', content: item, answers: callId };
  if (type?.endsWith('_call')) return { speaker: 'model', content: item, calls: [callId] };
  if (type === 'reasoning' || type === 'compaction') return { speaker: 'model', content: item };
  return { speaker: (typeof role === 'string' && speakers[role]) || 'human', content: item };
}
