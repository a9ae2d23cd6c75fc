import type { Sampling } from '../canonical/request.ts';
import type { ModelTraits } from './model-traits.ts';

export interface EncodedSampling {
  readonly fields: { readonly temperature?: number; readonly top_p?: number; readonly top_k?: number };
  /** Parameters that were omitted or changed, by the names that callers use. */
  readonly warnings: readonly string[];
}

/** Encodes the sampling parameters that the model accepts. Default values are omitted without a warning. */
export function encodeSampling(
  sampling: Sampling,
  traits: ModelTraits,
  isThinking: boolean,
): EncodedSampling {
  const { temperature, topP, topK } = sampling;
  const isTaken = traits.hasSampling && !isThinking;
  const isTopPTaken = isTaken && (temperature === undefined || traits.hasTemperatureWithTopP);
  const warnings = listUnknown(sampling);
  if (temperature !== undefined && (isTaken ? temperature > 1 : temperature !== 1))
    warnings.push('temperature');
  if (topP !== undefined && topP !== 1 && !isTopPTaken) warnings.push('top_p');
  if (topK !== undefined && !isTaken) warnings.push('top_k');
  return {
    fields: {
      ...(isTaken && temperature !== undefined && { temperature: Math.min(temperature, 1) }),
      ...(isTopPTaken && topP !== undefined && { top_p: topP }),
      ...(isTaken && topK !== undefined && { top_k: topK }),
    },
    warnings,
  };
}

function listUnknown(sampling: Sampling): string[] {
  const { seed, presencePenalty, frequencyPenalty, logitBias, topLogprobs } = sampling;
  return [
    ...(seed === undefined ? [] : ['seed']),
    ...(presencePenalty ? ['presence_penalty'] : []),
    ...(frequencyPenalty ? ['frequency_penalty'] : []),
    ...(logitBias && Object.keys(logitBias).length > 0 ? ['logit_bias'] : []),
    ...(topLogprobs === undefined ? [] : ['logprobs']),
  ];
}
