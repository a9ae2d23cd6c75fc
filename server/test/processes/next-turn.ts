import type { CanonicalRequest } from '#protocols/canonical/request.ts';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import { answerContext, type callerProtocols } from '../requests/through-callers.ts';

type CallerProtocol = (typeof callerProtocols)[number];

const question = { role: 'user', content: 'How late is it?' };
const parameters = { type: 'object', properties: {} };

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
  'openai-responses': ({ output }: { output: { type: string; call_id: string }[] }) => {
    const results = output
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'ten' }));
    return {
      input: [question, ...output, ...results],
      tools: [{ type: 'function', name: 'now', parameters }],
    };
  },
  gemini: ({ candidates }: { candidates: { content: { parts: { functionCall?: object }[] } }[] }) => {
    const { content } = candidates[0]!;
    const results = content.parts.flatMap(({ functionCall }) =>
      functionCall
        ? [{ functionResponse: { ...functionCall, args: undefined, response: { output: 'ten' } } }]
        : [],
    );
    return {
      contents: [
        { role: 'user', parts: [{ text: question.content }] },
        content,
        { role: 'user', parts: results },
      ],
      tools: [{ functionDeclarations: [{ name: 'now', parametersJsonSchema: parameters }] }],
    };
  },
};

export function readNextTurn({ id, caller }: CallerProtocol, answer: CanonicalResponse): CanonicalRequest {
  // safe because each builder reads the response format of its own protocol
  const reply = replies[id]!(caller.encodeResponse(answer, answerContext) as never);
  const path = id === 'gemini' ? { model: 'm', isStream: false } : { model: null, isStream: null };
  const body = Buffer.from(JSON.stringify({ ...(path.model === null && { model: 'm' }), ...reply }));
  const parsed = caller.parseRequest(body, path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}
