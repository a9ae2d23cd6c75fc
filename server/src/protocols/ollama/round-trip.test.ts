import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import type { Message } from '../canonical/content.ts';
import { canonicalRequest } from '../openai-chat/testing/canonical-values.ts';
import { encodeWishes } from './testing/exchange.ts';

const carried = canonicalRequest.map(({ count: _, messages, ...rest }) => ({
  ...rest,
  ...(rest.toolChoice?.kind === 'tool' && { toolChoice: { kind: 'required' as const } }),
  messages: messages.map(
    (message): Message =>
      message.role === 'user'
        ? {
            ...message,
            parts: message.parts.filter(
              (part) => part.type === 'text' || part.type === 'tool-result' || isPicture(part),
            ),
          }
        : message,
  ),
}));

function isPicture(part: Message['parts'][number]): boolean {
  return part.type === 'image' && part.source.kind === 'data';
}

it('encodeRequest keeps all texts and images of any supported request, and its tool calls and results in order', () => {
  fc.assert(
    fc.property(carried, (request) => {
      const { messages } = encodeWishes(request).body;
      const parts = request.messages.flatMap(
        (message) => message.parts as readonly Message['parts'][number][],
      );
      const calls = parts.filter((part) => part.type === 'tool-call');
      expect(
        messages.flatMap(({ tool_calls: made = [] }) =>
          made.map(({ id, function: called }) => [id, called.name, called.arguments]),
        ),
      ).toEqual(calls.map(({ id, name, arguments: json }) => [id, name, JSON.parse(json)]));
      const results = parts.filter((part) => part.type === 'tool-result');
      expect(
        messages.flatMap(({ tool_call_id: id, tool_name: name }) => (id === undefined ? [] : [[id, name]])),
      ).toEqual(results.map(({ callId, name }) => [callId, name]));
      expect(messages.flatMap(({ images = [] }) => images)).toHaveLength(parts.filter(isPicture).length);
      const said = messages.map(({ content }) => content).join('\n');
      for (const part of parts) if (part.type === 'text') expect(said).toContain(part.text);
    }),
    { numRuns: sampleRuns(500) },
  );
});
