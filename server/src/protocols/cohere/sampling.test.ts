import { expect, it } from 'vitest';
import type { Sampling } from '../canonical/request.ts';
import { encodeSampling } from './request-encoder.ts';

const encode = (sampling: Sampling) => {
  const warnings: string[] = [];
  return { fields: encodeSampling(sampling, (name) => warnings.push(name)), warnings };
};

it('P2: encodeSampling renames top_p to p and top_k to k', () => {
  expect(
    encode({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      seed: 7,
      frequencyPenalty: 0.25,
      presencePenalty: 1,
    }),
  ).toEqual({
    fields: { temperature: 0.5, p: 0.9, k: 40, seed: 7, frequency_penalty: 0.25, presence_penalty: 1 },
    warnings: [],
  });
});

it.each<[Sampling, object, string]>([
  [{ temperature: 1.5 }, { temperature: 1 }, 'temperature'],
  [{ topP: 1 }, { p: 0.99 }, 'top_p'],
  [{ topP: 0 }, { p: 0.01 }, 'top_p'],
  [{ topK: 1_000 }, { k: 500 }, 'top_k'],
  [{ seed: -1 }, { seed: 0 }, 'seed'],
  [{ frequencyPenalty: -0.5 }, { frequency_penalty: 0 }, 'frequency_penalty'],
  [{ presencePenalty: 2 }, { presence_penalty: 1 }, 'presence_penalty'],
])("P2: encodeSampling clamps %j to Cohere's range with a warning", (sampling, fields, name) => {
  expect(encode(sampling)).toEqual({ fields, warnings: [name] });
});

it.each<[Sampling, string]>([
  [{ logitBias: { 50256: -100 } }, 'logit_bias'],
  [{ topLogprobs: 0 }, 'logprobs'],
])('P6: encodeSampling omits %j with a warning', (sampling, name) => {
  expect(encode(sampling)).toEqual({ fields: {}, warnings: [name] });
});

it('encodeSampling omits an empty logit_bias without a warning', () => {
  expect(encode({ logitBias: {} })).toEqual({ fields: {}, warnings: [] });
});

it('encodeSampling sends values of zero', () => {
  expect(encode({ temperature: 0, topK: 0, seed: 0 })).toEqual({
    fields: { temperature: 0, k: 0, seed: 0 },
    warnings: [],
  });
});
