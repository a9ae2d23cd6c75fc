import fc from 'fast-check';
import { it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { ollama } from './index.ts';

const { provider } = ollama;

it('the decoders of Ollama accept any JSON as a line or a response without throwing', () => {
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
    { numRuns: sampleRuns(1_000) },
  );
});
