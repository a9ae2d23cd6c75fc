import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { garble, writeAnything } from '#test/providers/garbled-streams.ts';
import { replayGarbled } from '#test/providers/replay-stream.ts';
import { readResponsesCases } from '#test/requests/responses-cases.ts';
import { writeSse } from '#test/requests/wire-cases.ts';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { openaiResponses } from './index.ts';
import { canonicalResponse } from './testing/canonical-values.ts';
import { answerContext, encodeBytes } from './testing/exchange.ts';

const { caller, provider } = openaiResponses;
const streams = readResponsesCases()
  .filter(({ response }) => response.sse !== undefined)
  .map(({ response }) => writeSse(response))
  .filter(({ length }) => length < 20_000);

const generated = fc
  .tuple(canonicalResponse, fc.integer({ min: 1, max: 8 }))
  .map(([response, pieceLength]) => encodeBytes(toEvents(response, pieceLength)));

const words = [
  ...['"output_index":0', '"output_index":1', '"item_id":""', '"item":{', '"delta":7', '"arguments":{}'],
  ...['event: response.output_item.done\n', '"type":"function_call"', '"type":"reasoning"'],
  '"type":"response.completed"',
];

it('the stream decoder reads broken streams without throwing and emits only sound events', () => {
  fc.assert(
    fc.property(garble(fc.oneof(generated, fc.constantFrom(...streams)), words), (bytes) => {
      const encoder = caller.createStreamEncoder(answerContext);
      const events = replayGarbled(provider, bytes);
      expectSound(events);
      for (const event of events) encoder.encode(event);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});

const type = fc.constantFrom(
  ...['response.created', 'response.completed', 'response.failed', 'response.output_item.added'],
  ...['response.output_item.done', 'response.output_text.delta', 'response.output_text.done'],
  ...['response.reasoning_summary_text.delta', 'response.function_call_arguments.delta'],
  ...['response.custom_tool_call_input.delta', 'error', 'constructor', '__proto__'],
);
const item = fc.record(
  {
    type: fc.constantFrom('message', 'reasoning', 'function_call', 'custom_tool_call', 'constructor'),
    id: fc.oneof(fc.constantFrom('a', 'b', ''), fc.jsonValue()),
    content: fc.oneof(fc.jsonValue(), fc.array(fc.record({ type: fc.string(), text: fc.jsonValue() }))),
    summary: fc.jsonValue(),
    arguments: fc.jsonValue(),
    input: fc.jsonValue(),
    encrypted_content: fc.jsonValue(),
  },
  { requiredKeys: ['type'] },
);
const response = fc.oneof(
  fc.jsonValue(),
  fc.record({
    id: fc.jsonValue(),
    output: fc.oneof(fc.jsonValue(), fc.array(item)),
    status: fc.oneof(fc.constantFrom('completed', 'incomplete', 'failed'), fc.jsonValue()),
    incomplete_details: fc.oneof(fc.jsonValue(), fc.record({ reason: fc.jsonValue() })),
    usage: fc.jsonValue(),
    error: fc.jsonValue(),
  }),
);
const event = fc.oneof(
  fc.anything({ withNullPrototype: false }),
  fc.record(
    {
      type,
      item: fc.oneof(item, fc.jsonValue()),
      response,
      item_id: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
      output_index: fc.oneof(fc.nat(2), fc.jsonValue()),
      content_index: fc.oneof(fc.nat(1), fc.jsonValue()),
      delta: fc.oneof(fc.string(), fc.jsonValue()),
      text: fc.oneof(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: ['type'] },
  ),
);

it('the stream decoder reads any JSON event without throwing', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (events) => {
      const decoder = provider.createStreamDecoder();
      const told = events.flatMap((value) => {
        const data = writeAnything(value);
        provider.decodeResponse(Buffer.from(data));
        provider.readErrorMessage(data);
        return decoder.decode({ event: 'message', data });
      });
      expectSound([...told, ...decoder.end()]);
    }),
    { numRuns: sampleRuns(2_000) },
  );
});

it('decodeInput translates or rejects any item without other exceptions', () => {
  const part = fc.record({
    type: fc.constantFrom(
      'input_text',
      'output_text',
      'input_image',
      'input_file',
      'input_audio',
      'refusal',
      'x',
    ),
    text: fc.oneof(fc.string(), fc.jsonValue()),
    image_url: fc.oneof(fc.string(), fc.constant('data:image/png;base64,AAAA'), fc.jsonValue()),
    file_data: fc.jsonValue(),
    file_id: fc.jsonValue(),
    input_audio: fc.record({ data: fc.string(), format: fc.string() }),
    refusal: fc.string(),
  });
  const parts = fc.oneof(fc.string(), fc.constant(null), fc.array(part, { maxLength: 3 }), fc.jsonValue());
  const inputItem = fc.record(
    {
      type: fc.constantFrom(
        ...['message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call'],
        ...['custom_tool_call_output', 'web_search_call', 'item_reference', 'constructor'],
      ),
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool'),
      content: parts,
      output: parts,
      call_id: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
      name: fc.oneof(fc.string(), fc.jsonValue()),
      arguments: fc.oneof(fc.string(), fc.jsonValue()),
      summary: fc.jsonValue(),
      encrypted_content: fc.oneof(fc.string(), fc.constant('gemini:call::x'), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const target = { model: 'm', isStream: false, defaultOutputTokensMax: 1, isReasoningModel: false };
  fc.assert(
    fc.property(fc.array(inputItem, { minLength: 1, maxLength: 4 }), (input) => {
      const parsed = caller.parseRequest(Buffer.from(JSON.stringify({ model: 'm', input })));
      if (parsed.ok) parsed.request.encodeFor('other');
      const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
      if (!decoded.ok)
        expect(decoded.problem).toMatchObject({
          code: expect.stringMatching(/^(invalid_request|duplicate_field)$/),
          param: expect.any(String),
        });
      else if ('messages' in decoded.request) provider.encodeRequest(decoded.request, target);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});
