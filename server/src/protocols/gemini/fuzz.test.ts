import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { garble, writeAnything } from '#test/providers/garbled-streams.ts';
import { replayGarbled } from '#test/providers/replay-stream.ts';
import { callerProtocols, passStream } from '#test/requests/through-callers.ts';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { gemini, geminiInArrays } from './index.ts';
import { canonicalResponse } from './testing/canonical-values.ts';
import { isStream, readGeminiCases, writeStream } from './testing/cases.ts';
import { answerContext, encodeBytes, makeBody } from './testing/exchange.ts';

const { caller, provider } = gemini;
const recorded = readGeminiCases()
  .filter(isStream)
  .map(writeStream)
  .filter(({ length }) => length < 20_000);
const generated = fc
  .tuple(canonicalResponse, fc.integer({ min: 1, max: 8 }))
  .map(([response, textLength]) => encodeBytes(toEvents(response, textLength)));
const garbled = garble(fc.oneof(generated, fc.constantFrom(...recorded)), [
  '"finishReason":"STOP"',
  '"finishReason":1',
  '"index":-1',
  '"index":7',
  '"parts":[{',
  '"functionCall":{}',
  '"functionCall":{"name":"f","willContinue":true}',
  '"partialArgs":[{"jsonPath":"$.a[0].b","stringValue":"x"}]',
  '"thoughtSignature":"c2ln"',
  '"thought":true',
  '"promptFeedback":{"blockReason":"OTHER"}',
  '"error":{"code":500}',
  'event: error\n',
]);

it('stream decoder produces valid events for garbled streams without throwing', () => {
  fc.assert(
    fc.property(garbled, (bytes) => {
      const events = replayGarbled(provider, bytes);
      expectSound(events);
      for (const protocol of callerProtocols) passStream(protocol, events);
      const encoder = geminiInArrays.caller.createStreamEncoder(answerContext);
      for (const event of events) encoder.encode(event);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});

const part = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      text: fc.jsonValue(),
      thought: fc.jsonValue(),
      thoughtSignature: fc.oneof(fc.jsonValue(), fc.base64String()),
      functionCall: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            name: fc.oneof(fc.jsonValue(), fc.constant('f')),
            id: fc.jsonValue(),
            args: fc.jsonValue(),
            willContinue: fc.boolean(),
            partialArgs: fc.array(
              fc.record({
                jsonPath: fc.constantFrom('$.a', '$.a.b', '$.a[0]', '$[1]'),
                stringValue: fc.jsonValue(),
              }),
            ),
          },
          { requiredKeys: [] },
        ),
      ),
      functionResponse: fc.jsonValue(),
      inlineData: fc.jsonValue(),
      executableCode: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const content = fc.oneof(
  fc.jsonValue(),
  fc.record({
    role: fc.constantFrom('user', 'model', null, 'function'),
    parts: fc.array(part, { maxLength: 4 }),
  }),
);

it('the decoders of Gemini accept any JSON as a chunk, a response, or an error without throwing', () => {
  const candidate = fc.record(
    {
      index: fc.oneof(fc.jsonValue(), fc.nat(2)),
      content,
      finishReason: fc.jsonValue(),
      finishMessage: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const piece = fc.oneof(
    fc.anything({ withNullPrototype: false }),
    fc.record(
      {
        candidates: fc.oneof(fc.jsonValue(), fc.array(candidate, { maxLength: 3 })),
        promptFeedback: fc.jsonValue(),
        usageMetadata: fc.jsonValue(),
        responseId: fc.jsonValue(),
        createTime: fc.jsonValue(),
        error: fc.option(fc.jsonValue(), { nil: undefined }),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const decoder = provider.createStreamDecoder();
      const events = pieces.flatMap((value) => {
        const data = writeAnything(value);
        const answer = provider.decodeResponse(Buffer.from(data));
        if (answer) caller.encodeResponse(answer, answerContext);
        provider.readErrorMessage(data);
        provider.embeddings.decodeResponse(Buffer.from(data));
        return decoder.decode({ event: 'message', data });
      });
      expectSound([...events, ...decoder.end()]);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});

it('parseRequest accepts any body or rejects it with a problem', () => {
  const config = fc.dictionary(
    fc.constantFrom(
      'temperature',
      'topK',
      'top_k',
      'stopSequences',
      'responseSchema',
      'thinkingConfig',
      'novelty',
    ),
    fc.jsonValue(),
  );
  const body = fc.record(
    {
      contents: fc.oneof(fc.jsonValue(), fc.array(content, { minLength: 1, maxLength: 4 })),
      systemInstruction: content,
      tools: fc.oneof(fc.jsonValue(), fc.array(fc.record({ functionDeclarations: fc.jsonValue() }))),
      toolConfig: fc.jsonValue(),
      generationConfig: fc.oneof(fc.jsonValue(), config),
      task_id: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const target = { isStream: false, defaultOutputTokensMax: 4096, isReasoningModel: false };
  fc.assert(
    fc.property(body, (fields) => {
      const bytes = Buffer.from(JSON.stringify(makeBody(fields)));
      const parsed = caller.parseRequest(bytes, { model: 'gemini-3-pro', isStream: false });
      const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
      if (!decoded.ok) expect(decoded.problem.message).not.toBe('');
      if (!parsed.ok) return;
      JSON.parse(parsed.request.encodeFor('gemini-2.5-flash').toString());
      if ('request' in decoded && decoded.ok && 'messages' in decoded.request)
        provider.encodeRequest(decoded.request, { ...target, model: 'gemini-3-pro' });
    }),
    { numRuns: sampleRuns(1_000) },
  );
});
