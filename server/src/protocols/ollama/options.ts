import type { CanonicalRequest } from '../canonical/request.ts';

/** Returns the sampling and length options. `warn` is called for each one that Ollama does not support. */
export function encodeOptions(
  { outputTokensMax, sampling, stop }: CanonicalRequest,
  warn: (name: string) => void,
): object {
  if (Object.keys(sampling.logitBias ?? {}).length > 0) warn('logit_bias');
  if (sampling.topLogprobs !== undefined) warn('logprobs');
  const options = {
    num_predict: outputTokensMax,
    stop: stop.length > 0 ? stop : undefined,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { options: Object.fromEntries(given) };
}
