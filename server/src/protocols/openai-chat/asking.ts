import type { ChatCompletionRequest } from '@sluice/contract';
import { type Asking, readAsking } from '../asking.ts';
import { isObject } from '../json/json-value.ts';
import type { Utterance } from '../new-texts.ts';

type Message = ChatCompletionRequest['messages'][number];

/** Returns what a chat completion request asks for. */
export function readChatAsking(fields: ChatCompletionRequest): Asking {
  const { messages, tools, functions, ...others } = fields;
  const { response_format: format, prediction } = others;
  return readAsking([
    { speaker: 'setting', content: others },
    { speaker: 'definition', content: [tools, functions, format, prediction] },
    ...messages.map(toUtterance),
  ]);
}

const speakers = { system: 'guide', developer: 'guide', user: 'human', assistant: 'model' } as const;

function toUtterance(message: Message): Utterance {
  const { role, tool_call_id: callId, name } = message;
  if (role === 'tool') return { speaker: 'tool', content: message, answers: callId };
  if (role === 'function') return { speaker: 'tool', content: message, answers: name };
  return { speaker: speakers[role], content: message, calls: listCalls(message) };
}

/** Lists calls by id. Legacy function calls have none and are matched by function name. */
function listCalls({ tool_calls: calls, function_call: call }: Message): unknown[] {
  const ids = Array.isArray(calls)
    ? calls.flatMap((one) => (isObject(one) && 'id' in one ? [one.id] : []))
    : [];
  return isObject(call) && 'name' in call ? [...ids, call.name] : ids;
}
