import fc from 'fast-check';
import { it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { cohere } from './index.ts';

const { provider } = cohere;

it('the decoders of Cohere accept any JSON as an event or a response without throwing', () => {
  const type = fc.constantFrom(
    ...['message-start', 'content-start', 'content-delta', 'tool-plan-delta', 'tool-call-start'],
    ...['tool-call-delta', 'tool-call-end', 'message-end', 'error', 'unknown'],
  );
  const message = fc.record({
    content: fc.oneof(fc.jsonValue(), fc.record({ text: fc.jsonValue(), thinking: fc.jsonValue() })),
    tool_plan: fc.jsonValue(),
    tool_calls: fc.oneof(
      fc.jsonValue(),
      fc.record({
        id: fc.jsonValue(),
        function: fc.record({ name: fc.jsonValue(), arguments: fc.jsonValue() }),
      }),
    ),
  });
  const event = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        type,
        index: fc.jsonValue(),
        delta: fc.record({ message, finish_reason: fc.jsonValue(), usage: fc.jsonValue() }),
        message,
        usage: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 6 }), (values) => {
      const decoder = provider.createStreamDecoder();
      const events = values.flatMap((value) => {
        const data = JSON.stringify(value);
        provider.decodeResponse(Buffer.from(data));
        provider.readErrorMessage(data);
        provider.embeddings.decodeResponse(Buffer.from(data));
        return decoder.decode({ event: 'message', data });
      });
      expectSound([...events, ...decoder.end()]);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});
