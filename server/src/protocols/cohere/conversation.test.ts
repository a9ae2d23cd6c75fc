import { describe, expect, it } from 'vitest';
import { callerProtocols } from '../../../test/through-callers.ts';
import { cohere } from './index.ts';
import type { EncodedBody } from './testing/exchange.ts';

const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };
const target = {
  model: 'command-a-03-2025',
  isStream: false,
  defaultOutputTokensMax: 4096,
  isReasoningModel: false,
};
const tool = { name: 'now', parameters: { type: 'object', properties: {} } };
const answer = cohere.provider.decodeResponse(
  Buffer.from(
    JSON.stringify({
      id: 'a1',
      message: {
        role: 'assistant',
        tool_plan: 'I will ask twice.',
        tool_calls: [
          { id: 'now_x1', type: 'function', function: { name: 'now', arguments: 'null' } },
          { id: 'now_x2', type: 'function', function: { name: 'now', arguments: '{"zone":"UTC"}' } },
        ],
      },
      finish_reason: 'TOOL_CALL',
    }),
  ),
)!;

/** The next request of a caller who has got this answer and run its calls. */
const replies: Record<string, (encoded: object) => object> = {
  'openai-chat': (encoded) => {
    const { choices } = encoded as { choices: { message: { tool_calls: { id: string }[] } }[] };
    const { message } = choices[0]!;
    return {
      messages: [
        { role: 'user', content: 'How late is it?' },
        message,
        ...message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ten' })),
      ],
      tools: [{ type: 'function', function: tool }],
    };
  },
  'anthropic-messages': (encoded) => {
    const { content } = encoded as { content: { type: string; id: string }[] };
    const results = content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ten' }));
    return {
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'How late is it?' },
        { role: 'assistant', content },
        { role: 'user', content: results },
      ],
      tools: [{ name: 'now', input_schema: tool.parameters }],
    };
  },
};

describe.each(callerProtocols.filter(({ id }) => id in replies))(
  'T6, T7: with a caller of $id',
  ({ id, caller }) => {
    it('a turn of calls comes back with its plan, its ids and its results', () => {
      const body = { model: 'm', ...replies[id]!(caller.encodeResponse(answer, context)) };
      const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)), { model: null, isStream: null });
      const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
      if (!decoded.ok || !('messages' in decoded.request)) throw new Error('the request was refused');
      const encoded = cohere.provider.encodeRequest(decoded.request, target);
      if (!encoded.ok) throw new Error(encoded.problem.message);
      // safe because this protocol's requests have this shape
      const { messages } = encoded.body as EncodedBody;
      expect(messages[1]).toMatchObject({
        role: 'assistant',
        tool_plan: 'I will ask twice.',
        tool_calls: [
          { id: 'now_x1', function: { name: 'now', arguments: '{}' } },
          { id: 'now_x2', function: { name: 'now', arguments: '{"zone":"UTC"}' } },
        ],
      });
      expect(messages.slice(2)).toEqual([
        { role: 'tool', tool_call_id: 'now_x1', content: 'ten' },
        { role: 'tool', tool_call_id: 'now_x2', content: 'ten' },
      ]);
      expect(encoded.warnings).toEqual([]);
    });
  },
);
