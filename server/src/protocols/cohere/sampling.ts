import type { Sampling } from '../canonical/request.ts';

type Range = readonly [callersName: string, min: number, max: number];

/** Cohere's parameter names, with the name that callers use and the accepted range. */
const ranges: Readonly<Record<string, Range>> = {
  temperature: ['temperature', 0, 1],
  p: ['top_p', 0.01, 0.99],
  k: ['top_k', 0, 500],
  seed: ['seed', 0, Number.MAX_SAFE_INTEGER],
  frequency_penalty: ['frequency_penalty', 0, 1],
  presence_penalty: ['presence_penalty', 0, 1],
};

/**
 * Encodes sampling parameters for Cohere, clamped to its ranges. `warn` is called for each changed or omitted value.
 */
export function encodeSampling(sampling: Sampling, warn: (name: string) => void): object {
  const wanted: Readonly<Record<string, number | undefined>> = {
    temperature: sampling.temperature,
    p: sampling.topP,
    k: sampling.topK,
    seed: sampling.seed,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
  };
  if (Object.keys(sampling.logitBias ?? {}).length > 0) warn('logit_bias');
  if (sampling.topLogprobs !== undefined) warn('logprobs');
  return Object.fromEntries(
    Object.entries(ranges).flatMap(([name, [callersName, min, max]]) => {
      const value = wanted[name];
      if (value === undefined) return [];
      const taken = Math.min(Math.max(value, min), max);
      if (taken !== value) warn(callersName);
      return [[name, taken]];
    }),
  );
}
