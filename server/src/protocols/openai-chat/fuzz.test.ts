import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { garble, writeAnything } from '#test/providers/garbled-streams.ts';
import { replayGarbled } from '#test/providers/replay-stream.ts';
import { readChatCases } from '#test/requests/chat-cases.ts';
import { writeSse } from '#test/requests/wire-cases.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { openaiChat } from './index.ts';
import { canonicalResponse, toEvents } from './testing/canonical-values.ts';

const { caller, provider } = openaiChat;
const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };
const streamsMax = 20;
const streams = readChatCases()
  .filter(({ response }) => response.sse !== undefined)
  .map(({ response }) => writeSse(response))
  .filter(({ length }) => length < 20_000)
  .slice(0, streamsMax);

const generated = fc
  .tuple(canonicalResponse, fc.integer({ min: 1, max: 8 }))
  .map(([response, pieceLength]) => {
    const encoder = caller.createStreamEncoder(context);
    return Buffer.from(
      toEvents(response, pieceLength)
        .map((event) => encoder.encode(event))
        .join(''),
    );
  });
const stream = streams.length === 0 ? generated : fc.oneof(generated, fc.constantFrom(...streams));

const mutated = garble(stream, [
  ...['"index":-1', '"choices":', '"id":"', '"tool_calls":[', '"arguments":{', '"finish_reason":"stop"'],
]);

it('the stream decoder reads broken streams without throwing and emits only sound events', () => {
  fc.assert(
    fc.property(mutated, (bytes) => {
      const encoder = caller.createStreamEncoder(context);
      const events = replayGarbled(provider, bytes);
      expectSound(events);
      for (const event of events) encoder.encode(event);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});

it('the stream decoder reads any JSON chunk without throwing', () => {
  const field = fc.constantFrom(
    'content',
    'tool_calls',
    'reasoning_details',
    'function_call',
    'refusal',
    'reasoning',
  );
  const chunk = fc.oneof(
    fc.anything({ withNullPrototype: false }),
    fc.record({ choices: fc.anything(), usage: fc.anything(), x_groq: fc.anything(), id: fc.anything() }),
    fc
      .tuple(fc.dictionary(field, fc.jsonValue()), fc.jsonValue(), fc.jsonValue())
      .map(([delta, index, finish_reason]) => ({
        choices: [{ index, delta, message: delta, finish_reason }],
      })),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 4 }), (chunks) => {
      const decoder = provider.createStreamDecoder();
      for (const value of chunks) {
        const data = writeAnything(value);
        decoder.decode({ event: 'message', data });
        provider.decodeResponse(Buffer.from(data));
        provider.readErrorMessage(data);
      }
      decoder.end();
    }),
    { numRuns: sampleRuns(1_000) },
  );
});

it('decodeMessages translates or rejects any message without other exceptions', () => {
  const role = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function');
  const part = fc.record({
    type: fc.constantFrom('text', 'image_url', 'input_audio', 'file', 'refusal', 'thinking', 'other'),
    text: fc.jsonValue(),
    image_url: fc.oneof(fc.jsonValue(), fc.record({ url: fc.string() })),
    input_audio: fc.record({ data: fc.string(), format: fc.string() }),
    file: fc.oneof(fc.jsonValue(), fc.record({ file_data: fc.string() })),
    refusal: fc.string(),
    thinking: fc.jsonValue(),
  });
  const message = fc.record(
    {
      role,
      content: fc.oneof(fc.string(), fc.constant(null), fc.array(part, { maxLength: 3 })),
      tool_calls: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record({ id: fc.string(), function: fc.record({ name: fc.string(), arguments: fc.string() }) }),
        ),
      ),
      tool_call_id: fc.oneof(fc.jsonValue(), fc.string()),
      name: fc.jsonValue(),
      reasoning_details: fc.jsonValue(),
    },
    { requiredKeys: ['role', 'content'] },
  );
  const target = { model: 'm', isStream: false, defaultOutputTokensMax: 1, isReasoningModel: false };
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
      const parsed = caller.parseRequest(Buffer.from(JSON.stringify({ model: 'm', messages })));
      const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
      if (decoded.ok && 'messages' in decoded.request) provider.encodeRequest(decoded.request, target);
      else if (!decoded.ok)
        expect(decoded.problem).toMatchObject({
          code: expect.stringMatching(/^(invalid_request|duplicate_field)$/),
          param: expect.any(String),
        });
    }),
    { numRuns: sampleRuns(1_000) },
  );
});
