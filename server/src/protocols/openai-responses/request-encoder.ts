import type { Steps } from '#platform/steps.ts';
import type { CanonicalRequest, ReasoningOptions, Sampling } from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { refuseImages } from '../translation/answer-images.ts';
import { createRequestEncoder } from '../translation/encode-in-steps.ts';
import { fitLength, fitMetadata } from '../translation/fit-length.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { readEffort } from '../translation/reasoning-effort.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { encodeInput } from './input-encoder.ts';
import { encodeFormat, encodeTools } from './tools.ts';

/** Requests set `store: false`, because no later request refers to stored data. */
export const { encodeInSteps, encodeRequest } = createRequestEncoder(translate);

function* translate(request: CanonicalRequest, target: RequestTarget): Steps<EncodedRequest> {
  refuseWithoutForm(request, target);
  refuseImages(request);
  const warnings = new Set(request.extensions);
  const warn = (name: string) => warnings.add(name);
  const { takesOpenAiFields = false } = target.dialect ?? {};
  warnOfLost(request, takesOpenAiFields ? openAiFields : ['detail'], warn);
  const { outputTokensMax, endUser } = request;
  const body = {
    model: target.model,
    input: yield* encodeInput(request.messages, target, warn),
    ...(target.isStream && { stream: true }),
    store: false,
    ...(outputTokensMax !== undefined && { max_output_tokens: encodeCap(outputTokensMax, warn) }),
    ...encodeSampling(request.sampling, target, warn),
    ...encodeTools(request, warn),
    ...encodeText(request, takesOpenAiFields, warn),
    ...encodeReasoning(request.reasoning, target, warn),
    // Without encrypted reasoning, a later turn could not send the reasoning back.
    ...(target.isReasoningModel && { include: ['reasoning.encrypted_content'] }),
    ...(endUser !== undefined && { user: fitLength(endUser) }),
    ...(takesOpenAiFields && encodeOpenAiFields(request, warn)),
  };
  return { ok: true, body, warnings: [...warnings] };
}

const openAiFields = ['detail', 'safety_identifier', 'prompt_cache_key', 'metadata', 'verbosity'] as const;

function encodeOpenAiFields(
  { safetyIdentifier, promptCacheKey, metadata }: CanonicalRequest,
  warn: (name: string) => void,
): object {
  return {
    ...(safetyIdentifier !== undefined && { safety_identifier: fitLength(safetyIdentifier) }),
    ...(promptCacheKey !== undefined && { prompt_cache_key: fitLength(promptCacheKey) }),
    ...(metadata !== undefined && { metadata: fitMetadata(metadata, warn) }),
  };
}

function encodeText(
  { responseFormat, verbosity }: CanonicalRequest,
  takesOpenAiFields: boolean,
  warn: (name: string) => void,
): object {
  const text = {
    ...(responseFormat && { format: encodeFormat(responseFormat, warn) }),
    ...(takesOpenAiFields && verbosity !== undefined && { verbosity }),
  };
  return Object.keys(text).length === 0 ? {} : { text };
}

function refuseWithoutForm(
  { count, stop, responseFormat }: CanonicalRequest,
  { dialect }: RequestTarget,
): void {
  if (count !== undefined && count > 1)
    throw new UntranslatableError('The provider of this model returns only one choice per request.', 'n');
  if (stop.length > 0)
    throw new UntranslatableError('The provider of this model does not accept stop sequences.', 'stop');
  if (responseFormat?.kind === 'json-schema' && dialect?.lacksJsonSchema)
    throw new UntranslatableError(
      'The provider of this model does not support JSON schemas; request plain JSON.',
      'response_format',
    );
}

const outputTokensMin = 16;

function encodeCap(outputTokensMax: number, warn: (name: string) => void): number {
  if (outputTokensMax < outputTokensMin) warn('max_tokens');
  return Math.max(outputTokensMax, outputTokensMin);
}

function encodeSampling(
  sampling: Sampling,
  { isReasoningModel }: RequestTarget,
  warn: (name: string) => void,
): object {
  const lost = {
    top_k: sampling.topK,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    logprobs: sampling.topLogprobs,
  };
  const known = { temperature: sampling.temperature, top_p: sampling.topP };
  // OpenAI's reasoning models reject sampling options.
  const refused = isReasoningModel ? { ...lost, ...known } : lost;
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) warn(name);
  if (isReasoningModel) return {};
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function encodeReasoning(
  options: ReasoningOptions | undefined,
  { model, isReasoningModel, dialect }: RequestTarget,
  warn: (name: string) => void,
): object {
  const effort = readEffort(options);
  const taken = effort === undefined ? null : (dialect?.fitReasoningEffort?.(model, effort) ?? null);
  // A model that accepts no effort does not reason, so disabled reasoning needs no warning.
  if (taken === null && effort !== undefined && effort !== 'none') warn('reasoning_effort');
  const fields = {
    ...(taken !== null && { effort: taken }),
    ...(isReasoningModel && options?.isShown && { summary: 'auto' }),
  };
  return Object.keys(fields).length === 0 ? {} : { reasoning: fields };
}
