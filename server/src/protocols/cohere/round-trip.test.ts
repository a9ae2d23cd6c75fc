import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import type { Message } from '../canonical/content.ts';
import { canonicalRequest } from '../openai-chat/testing/canonical-values.ts';
import { encodeWishes } from './testing/exchange.ts';

const carried = canonicalRequest.map(({ count: _, responseFormat, messages, ...rest }) => ({
  ...rest,
  ...(responseFormat && rest.tools.length === 0 && { responseFormat }),
  ...(rest.toolChoice?.kind === 'tool' && { toolChoice: { kind: 'required' as const } }),
  messages: messages.map(
    (message): Message =>
      message.role === 'user'
        ? { ...message, parts: message.parts.filter(({ type }) => type !== 'audio' && type !== 'document') }
        : message,
  ),
}));

it('encodeRequest keeps all texts of any supported request, and its tool calls and results in order', () => {
  fc.assert(
    fc.property(carried, (request) => {
      const { body } = encodeWishes(request);
      const parts = request.messages.flatMap((message) => message.parts as readonly { type: string }[]);
      const valuesOf = (type: string, field: string) =>
        parts.flatMap((part) => (part.type === type ? [Reflect.get(part, field)] : []));
      expect(body.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))).toEqual(
        valuesOf('tool-call', 'id'),
      );
      expect(body.messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(
        valuesOf('tool-result', 'callId'),
      );
      const sent = JSON.stringify(body.messages);
      const positions = valuesOf('text', 'text').map((text) =>
        sent.indexOf(JSON.stringify(text).slice(1, -1)),
      );
      expect(positions).not.toContain(-1);
    }),
    { numRuns: sampleRuns(500) },
  );
});
