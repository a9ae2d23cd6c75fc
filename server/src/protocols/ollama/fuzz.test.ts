import fc from 'fast-check';
import { it } from 'vitest';
import { garble } from '#test/providers/garbled-streams.ts';
import { replayGarbled } from '#test/providers/replay-stream.ts';
import { readOllamaCases } from '#test/requests/ollama-cases.ts';
import { callerProtocols, passStream } from '#test/requests/through-callers.ts';
import { writeNdjson } from '#test/requests/wire-cases.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { plainAnswer } from '../testing/plain-answers.ts';
import { ollama } from './index.ts';
import { writeStream } from './testing/write-answer.ts';

const { provider } = ollama;
const recorded = readOllamaCases()
  .filter(({ response }) => response.ndjson !== undefined)
  .map(({ response }) => writeNdjson(response))
  .filter(({ length }) => length < 20_000);
const generated = fc
  .tuple(plainAnswer, fc.integer({ min: 1, max: 8 }))
  .map(([answer, pieceLength]) => writeStream(answer, pieceLength));
const garbled = garble(fc.oneof(generated, fc.constantFrom(...recorded)), [
  '"done":true',
  '"done":"yes"',
  '"message":null',
  '"tool_calls":[{}]',
  '"arguments":"{"',
  '"error":{}',
  '"created_at":7',
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

it('decoder accepts any JSON as a line or a response without throwing', () => {
  const message = fc.record(
    {
      content: fc.jsonValue(),
      thinking: fc.jsonValue(),
      tool_calls: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record({
            id: fc.jsonValue(),
            function: fc.record({ name: fc.jsonValue(), arguments: fc.jsonValue() }),
          }),
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const line = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        model: fc.jsonValue(),
        created_at: fc.jsonValue(),
        message: fc.oneof(message, fc.jsonValue()),
        done: fc.oneof(fc.boolean(), fc.jsonValue()),
        done_reason: fc.jsonValue(),
        eval_count: fc.jsonValue(),
        prompt_eval_count: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: ['message'] },
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (values) => {
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
