import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sampling } from '../canonical/request.ts';
import { readModelTraits } from './model-traits.ts';
import { encodeSampling } from './request-encoder.ts';

const sampling: fc.Arbitrary<Sampling> = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1, 1.5, 2),
    topP: fc.constantFrom(0, 0.5, 1),
    topK: fc.nat(100),
    seed: fc.integer(),
    presencePenalty: fc.constantFrom(-2, 0, 2),
    frequencyPenalty: fc.constantFrom(-2, 0, 2),
    logitBias: fc.constantFrom<Record<string, number>>({}, { 7: 100 }),
    topLogprobs: fc.nat(20),
  },
  { requiredKeys: [] },
);
const model = fc.constantFrom(
  'claude-3-5-sonnet-20241022',
  'claude-opus-4-1',
  'claude-sonnet-4-6',
  'claude-opus-4-8',
  'kimi-k2',
);

function listSaid(said: Sampling): Record<string, unknown> {
  const fields = {
    temperature: said.temperature === 1 ? undefined : said.temperature,
    top_p: said.topP === 1 ? undefined : said.topP,
    top_k: said.topK,
    seed: said.seed,
    presence_penalty: said.presencePenalty || undefined,
    frequency_penalty: said.frequencyPenalty || undefined,
    logit_bias: Object.keys(said.logitBias ?? {}).length > 0 ? said.logitBias : undefined,
    logprobs: said.topLogprobs,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

describe('G10, P2: encodeSampling drops no parameter silently', () => {
  it('encodeSampling either sends a parameter unchanged or warns about it', () => {
    fc.assert(
      fc.property(sampling, model, fc.boolean(), (said, name, isThinking) => {
        const { fields, warnings } = encodeSampling(said, readModelTraits(name), isThinking);
        const carried = new Map<string, unknown>(Object.entries(fields));
        for (const [field, value] of Object.entries(listSaid(said)))
          expect([field, carried.get(field) === value]).toEqual([field, !warnings.includes(field)]);
        expect(Object.keys(listSaid(said))).toEqual(expect.arrayContaining([...warnings]));
      }),
    );
  });

  it('encodeSampling limits temperature to 1 and sends nothing if thinking is on or the model has no sampling', () => {
    fc.assert(
      fc.property(sampling, model, fc.boolean(), (said, name, isThinking) => {
        const { fields } = encodeSampling(said, readModelTraits(name), isThinking);
        expect(fields.temperature ?? 0).toBeLessThanOrEqual(1);
        if (isThinking || !readModelTraits(name).hasSampling) expect(fields).toEqual({});
      }),
    );
  });
});
