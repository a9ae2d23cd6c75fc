import type { CanonicalRequest } from '#protocols/canonical/request.ts';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import { answerContext, type callerProtocols } from './through-callers.ts';

type CallerProtocol = (typeof callerProtocols)[number];

const question = { role: 'user', content: 'How late is it?' };
const parameters = { type: 'object', properties: {} };

/** What a caller of a protocol sends next who has got an answer and run its calls, each with the result `ten`. */
const replies: Readonly<Record<string, (answer: never) => object>> = {
  'openai-chat': ({ choices }: { choices: { message: { tool_calls: { id: string }[] } }[] }) => {
    const { message } = choices[0]!;
    const results = message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ten' }));
    return {
      messages: [question, message, ...results],
      tools: [{ type: 'function', function: { name: 'now', parameters } }],
    };
  },
  'anthropic-messages': ({ content }: { content: { type: string; id: string }[] }) => {
    const results = content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ten' }));
    return {
      max_tokens: 100,
      messages: [question, { role: 'assistant', content }, { role: 'user', content: results }],
      tools: [{ name: 'now', input_schema: parameters }],
    };
  },
};

/** Whether it is known here how a caller of this protocol goes on. */
export const canReply = ({ id }: CallerProtocol) => id in replies;

/** The next request of a caller who has got this answer. */
export function readNextTurn({ id, caller }: CallerProtocol, answer: CanonicalResponse): CanonicalRequest {
  // safe because each reply reads what its own protocol has written
  const reply = replies[id]!(caller.encodeResponse(answer, answerContext) as never);
  const body = Buffer.from(JSON.stringify({ model: 'm', ...reply }));
  const parsed = caller.parseRequest(body, { model: null, isStream: null });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}
