import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import type { AssistantPart, ProtocolId, Signature } from '../canonical/content.ts';
import type { ReasoningEffort } from '../canonical/request.ts';
import type { CanonicalResponse, Choice } from '../canonical/response.ts';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { openaiResponses } from './index.ts';
import { canonicalRequest, canonicalResponse, said } from './testing/canonical-values.ts';
import {
  answerContext,
  decode,
  decodeAnswer,
  decodeBytes,
  dropItemIds,
  encodeBytes,
  encodeFor,
  encodeFrames,
} from './testing/exchange.ts';

const encodeWhole = (response: CanonicalResponse) =>
  openaiResponses.caller.encodeResponse(response, answerContext);
const dropIds = (choices: readonly Choice[]) =>
  choices.map(({ parts, finish }) => ({ parts: dropItemIds(parts), finish }));
const runs = { numRuns: sampleRuns(300) };
const pieceLength = fc.integer({ min: 1, max: 8 });

it('a request is unchanged after encoding and decoding', () => {
  fc.assert(
    fc.property(canonicalRequest, (request) => {
      const dialect = { fitReasoningEffort: (_: string, effort: ReasoningEffort) => effort };
      const { body, warnings } = encodeFor(request, { dialect });
      expect(warnings).toEqual([]);
      expect(decode(body)).toEqual(request);
    }),
    runs,
  );
});

it('a complete response is unchanged after encoding and decoding', () => {
  fc.assert(
    fc.property(canonicalResponse, (response) => {
      const back = decodeAnswer(encodeWhole(response));
      expect({ ...back, choices: dropIds(back.choices) }).toEqual({
        ...response,
        choices: dropIds(response.choices),
      });
    }),
    runs,
  );
});

it('a stream is unchanged after encoding and decoding', () => {
  fc.assert(
    fc.property(canonicalResponse, pieceLength, (response, length) => {
      const back = decodeBytes(encodeBytes(toEvents(response, length)));
      expectSound(back);
      const { id, model, createdAtSeconds, choices, usage } = response;
      expect(back[0]).toEqual({ type: 'start', id, model, createdAtSeconds });
      expect(dropIds(collectChoices(back))).toEqual(dropIds(choices));
      expect(back.findLast((event) => event.type === 'usage')?.usage ?? null).toEqual(usage);
      expect(back.at(-1)).toEqual({ type: 'end' });
    }),
    runs,
  );
});

it('the last event of a stream equals the complete response', () => {
  fc.assert(
    fc.property(canonicalResponse, pieceLength, (response, length) => {
      const last = encodeFrames(toEvents(response, length)).at(-1);
      expect(last?.response).toEqual(JSON.parse(JSON.stringify(encodeWhole(response))));
    }),
    runs,
  );
});

describe('contents of a response in the next request', () => {
  const keepWhole = (parts: readonly AssistantPart[]) =>
    encodeWhole({
      id: null,
      model: null,
      createdAtSeconds: null,
      choices: [{ parts, finish: { reason: 'stop', native: null } }],
      usage: null,
    });
  const keepStreamed = (parts: readonly AssistantPart[]) => {
    const choices = [{ parts, finish: { reason: 'stop', native: null } as const }];
    const response = { id: null, model: null, createdAtSeconds: null, choices, usage: null };
    return encodeFrames(toEvents(response, 3)).at(-1)?.response;
  };
  const bringBack = (answer: unknown) => {
    // safe because reading fails without a list of items
    const { output } = answer as { output: object[] };
    const [, turn] = decode({ input: [{ role: 'user', content: 'q' }, ...output] }).messages;
    return turn?.role === 'assistant' && dropItemIds(turn.parts);
  };
  const ways = { whole: keepWhole, streamed: keepStreamed };
  const makers: ProtocolId[] = [
    ...(['openai-responses', 'openai-chat', 'anthropic-messages', 'gemini', 'cohere', 'ollama'] as const),
  ];
  const signatures = makers.flatMap((protocol): Signature[] => [
    { protocol, value: 'a+/b==' },
    { protocol, value: 'x:y: "z"\n', id: 'rs:1' },
  ]);

  it.each(Object.entries(ways))(
    'the next request contains all parts of the previous response: %s',
    (_, keep) => {
      fc.assert(
        fc.property(said('call'), (parts) => {
          expect(bringBack(keep(parts))).toEqual(dropItemIds(parts));
        }),
        runs,
      );
    },
  );

  const signed = Object.entries(ways).flatMap(([way, keep]) =>
    signatures.map((signature) => ({ way, keep, signature, by: signature.protocol })),
  );

  it.each(signed)(
    'the next request contains the signature of reasoning by $by with the id $signature.id: $way',
    ({ keep, signature }) => {
      const parts: AssistantPart[] = [
        { type: 'reasoning', text: 'I think', isRedacted: false, signature },
        { type: 'reasoning', text: '', isRedacted: true, signature },
        { type: 'text', text: 'hello' },
      ];
      expect(bringBack(keep(parts))).toEqual(dropItemIds(parts));
    },
  );

  it.each(signed.filter(({ by }) => by !== 'openai-responses'))(
    'the next request contains the signature of a call by $by with the id $signature.id: $way',
    ({ keep, signature }) => {
      const parts: AssistantPart[] = [
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}', signature },
        { type: 'tool-call', id: 'c2', name: 'g', arguments: '{}' },
        { type: 'reasoning', text: '', isRedacted: false, signature },
        { type: 'text', text: 'hello' },
      ];
      expect(bringBack(keep(parts))).toEqual(dropItemIds(parts));
    },
  );
});
