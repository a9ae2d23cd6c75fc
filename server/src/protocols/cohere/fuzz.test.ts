import fc from 'fast-check';
import { it } from 'vitest';
import { garble } from '#test/providers/garbled-streams.ts';
import { replayGarbled } from '#test/providers/replay-stream.ts';
import { callerProtocols, passStream } from '#test/requests/through-callers.ts';
import { readWireCases, writeSse } from '#test/requests/wire-cases.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { plainAnswer } from '../testing/plain-answers.ts';
import { cohere } from './index.ts';
import { writeStream } from './testing/write-answer.ts';

const { provider } = cohere;
const recorded = readWireCases('cohere')
  .filter(({ response }) => response.sse !== undefined)
  .map(({ response }) => writeSse(response))
  .filter(({ length }) => length < 20_000);
const generated = fc
  .tuple(plainAnswer, fc.integer({ min: 1, max: 8 }))
  .map(([answer, pieceLength]) => writeStream(answer, pieceLength));
const garbled = garble(fc.oneof(generated, fc.constantFrom(...recorded)), [
  '"type":"message-end"',
  '"index":-1',
  '"delta":null',
  '"tool_calls":[{}]',
  '"content":"text"',
  '"arguments":{',
  'event: error\n',
]);

it('stream decoder produces valid events for 1,000 garbled streams without throwing', () => {
  fc.assert(
    fc.property(garbled, (bytes) => {
      const events = replayGarbled(provider, bytes);
      expectSound(events);
      for (const protocol of callerProtocols) passStream(protocol, events);
    }),
    { numRuns: 1_000 },
  );
});

it('decoder accepts any JSON as an event or a response without throwing', () => {
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
    { numRuns: 1_000 },
  );
});
