import type { Steps } from '#platform/steps.ts';
import type { CanonicalRequest, Sampling } from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { refuseImages } from '../translation/answer-images.ts';
import { createRequestEncoder } from '../translation/encode-in-steps.ts';
import { fitLength } from '../translation/fit-length.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { readEffort } from '../translation/reasoning-effort.ts';
import { limitBudget } from '../translation/thinking-budget.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { encodeMessages } from './messages-encoder.ts';
import { encodeResponseFormat, encodeTools } from './tools.ts';

export const { encodeInSteps, encodeRequest } = createRequestEncoder(translate);

function* translate(request: CanonicalRequest, target: RequestTarget): Steps<EncodedRequest> {
  const warnings = new Set(request.extensions);
  const warn = (name: string) => warnings.add(name);
  warnOfLost(request, listSupported(target), warn);
  const { outputTokensMax, count, stop, responseFormat, endUser } = request;
  const usualCapField = target.isReasoningModel ? 'max_completion_tokens' : 'max_tokens';
  const capField = target.dialect?.capField ?? usualCapField;
  const asksForUsage = target.isStream && !target.dialect?.tellsUsageUnasked;
  if (responseFormat?.kind === 'json-schema' && target.dialect?.lacksJsonSchema)
    throw new UntranslatableError(
      'The provider of this model does not support JSON schemas; request plain JSON.',
      'response_format',
    );
  if (!target.dialect?.takesImages) refuseImages(request);
  const body = {
    model: target.model,
    messages: yield* encodeMessages(request.messages, target, warn),
    ...(target.isStream && { stream: true }),
    ...(asksForUsage && { stream_options: { include_usage: true } }),
    ...(outputTokensMax !== undefined && { [capField]: outputTokensMax }),
    ...(count !== undefined && count > 1 && { n: count }),
    ...(stop.length > 0 && { stop }),
    ...encodeSampling(request.sampling, target, warn),
    ...encodeTools(request, target, warn),
    ...(responseFormat && { response_format: encodeResponseFormat(responseFormat, warn) }),
    ...encodeReasoning(request, target, warn),
    ...(request.wantsImages && { modalities: ['image', 'text'] }),
    ...(endUser !== undefined && { user: fitLength(endUser) }),
    ...(target.dialect?.takesOpenAiFields && encodeOpenAiFields(request)),
  };
  return { ok: true, body, warnings: [...warnings] };
}

function listSupported({ dialect }: RequestTarget): Parameters<typeof warnOfLost>[1] {
  return [
    'detail',
    ...(dialect?.takesCacheMarks ? (['cache_control'] as const) : []),
    ...(dialect?.takesOpenAiFields ? (['safety_identifier', 'prompt_cache_key', 'verbosity'] as const) : []),
  ];
}

// Omits metadata, which belongs to stored completions: the gateway stores none.
function encodeOpenAiFields({ safetyIdentifier, promptCacheKey, verbosity }: CanonicalRequest): object {
  return {
    ...(safetyIdentifier !== undefined && { safety_identifier: fitLength(safetyIdentifier) }),
    ...(promptCacheKey !== undefined && { prompt_cache_key: fitLength(promptCacheKey) }),
    ...(verbosity !== undefined && { verbosity }),
  };
}

/** OpenAI's reasoning models reject sampling options other than the seed. */
const refusedByReasoning: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
]);

function encodeSampling(
  sampling: Sampling,
  { isReasoningModel, dialect }: RequestTarget,
  warn: (name: string) => void,
): object {
  const { topLogprobs } = sampling;
  const fields = {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    [dialect?.seedField ?? 'seed']: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    logprobs: topLogprobs === undefined ? undefined : true,
    top_logprobs: topLogprobs === 0 ? undefined : topLogprobs,
  };
  const isTaken = ([name, value]: [string, unknown]) => {
    if (value === undefined) return false;
    const isRefused = name === 'top_k' || (isReasoningModel && refusedByReasoning.has(name));
    if (isRefused) warn(name);
    return !isRefused;
  };
  return Object.fromEntries(Object.entries(fields).filter(isTaken));
}

function encodeReasoning(
  { reasoning: wish, outputTokensMax }: CanonicalRequest,
  { model, dialect }: RequestTarget,
  warn: (name: string) => void,
): object {
  if (dialect?.takesReasoningBudget && wish?.budgetTokens && wish.effort === undefined) {
    const budgetTokens = limitBudget(wish.budgetTokens, outputTokensMax);
    if (budgetTokens < wish.budgetTokens) warn('reasoning_effort');
    return { reasoning: { max_tokens: budgetTokens } };
  }
  const effort = readEffort(wish);
  if (effort === undefined) return {};
  const taken = dialect?.fitReasoningEffort?.(model, effort) ?? null;
  if (taken !== null) return { reasoning_effort: taken };
  // A model that accepts no effort does not reason, so disabled reasoning needs no warning.
  if (effort !== 'none') warn('reasoning_effort');
  return {};
}
