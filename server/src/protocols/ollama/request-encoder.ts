import type { Steps } from '#platform/steps.ts';
import type {
  CanonicalRequest,
  ModelFacts,
  ReasoningEffort,
  ReasoningOptions,
  ResponseFormat,
} from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { moveAnswerImages, refuseImages } from '../translation/answer-images.ts';
import { describeSchema } from '../translation/described-schema.ts';
import { createRequestEncoder } from '../translation/encode-in-steps.ts';
import { encodeFunctionTool, pickTool } from '../translation/freeform-tool.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { readEffort } from '../translation/reasoning-effort.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { encodeMessages } from './messages-encoder.ts';

type ThinkingSkill = 'none' | 'switch' | 'levels';

/** Ollama rejects `think` for models that cannot think. Unknown models may support thinking, but few support levels. */
function findThinkingSkill(facts: ModelFacts | undefined): ThinkingSkill {
  if (facts?.reasoning === false) return 'none';
  return facts?.reasoning && facts.efforts ? 'levels' : 'switch';
}

const levels: Readonly<Record<ReasoningEffort, string>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

/** `isGranted` is false if the model cannot comply. */
function encodeThinking(
  options: ReasoningOptions | undefined,
  facts: ModelFacts | undefined,
): { readonly fields: { readonly think?: boolean | string }; readonly isGranted: boolean } {
  if (options === undefined) return { fields: {}, isGranted: true };
  const effort = readEffort(options);
  const isOff = effort === 'none';
  switch (findThinkingSkill(facts)) {
    case 'none':
      return { fields: {}, isGranted: isOff };
    case 'switch':
      return { fields: { think: !isOff }, isGranted: true };
    case 'levels':
      return { fields: { think: effort === undefined ? true : levels[effort] }, isGranted: !isOff };
  }
}

export const { encodeInSteps, encodeRequest } = createRequestEncoder(translate);

function* translate(
  request: CanonicalRequest,
  { facts, model, isStream }: RequestTarget,
): Steps<EncodedRequest> {
  const { count, endUser, responseFormat } = request;
  if (count !== undefined && count > 1)
    throw new UntranslatableError('The provider of this model returns only one choice per request.', 'n');
  refuseImages(request);
  const warnings = new Set(request.extensions);
  const warn = (name: string) => warnings.add(name);
  warnOfLost(request, [], warn);
  const thinking = encodeThinking(request.reasoning, facts);
  if (!thinking.isGranted) warn('reasoning_effort');
  if (endUser !== undefined) warn('user');
  const body = {
    model,
    messages: yield* encodeMessages(moveAnswerImages(request.messages, facts, warn), warn),
    stream: isStream,
    ...encodeTools(request, warn),
    ...(responseFormat && { format: encodeFormat(responseFormat) }),
    ...thinking.fields,
    ...encodeOptions(request, warn),
    // Requests an error instead of a response to a truncated conversation.
    truncate: false,
    shift: false,
  };
  return { ok: true, body, warnings: [...warnings] };
}

/** Ollama has no tool choice, so a choice only restricts the tools that are sent. */
function encodeTools(
  { tools, toolChoice, isParallelToolUse }: CanonicalRequest,
  warn: (name: string) => void,
): object {
  if (tools.length === 0 || toolChoice?.kind === 'none') return {};
  const offered = toolChoice?.kind === 'tool' ? pickTool(tools, toolChoice.name) : tools;
  if (toolChoice?.kind === 'tool' || toolChoice?.kind === 'required') warn('tool_choice');
  if (isParallelToolUse === false) warn('parallel_tool_calls');
  if (offered.some(({ isStrict }) => isStrict)) warn('strict');
  return { tools: offered.map((tool) => encodeFunctionTool(tool)) };
}

function encodeFormat(format: ResponseFormat): string | object {
  const schema = format.kind === 'json-schema' ? format.schema : {};
  if (format.kind === 'json' || Object.keys(schema).length === 0) return 'json';
  return describeSchema(format);
}

/** `warn` is called for each option that Ollama does not support. */
function encodeOptions(
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
