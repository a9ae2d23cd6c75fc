import type { Steps } from '#platform/steps.ts';
import type {
  CanonicalRequest,
  ModelFacts,
  ReasoningOptions,
  ResponseFormat,
  Sampling,
  Tool,
} from '../canonical/request.ts';
import type { EncodedRequest, RequestTarget } from '../protocol.ts';
import { moveAnswerImages, refuseImages } from '../translation/answer-images.ts';
import { describeSchema } from '../translation/described-schema.ts';
import { createRequestEncoder } from '../translation/encode-in-steps.ts';
import { encodeFunctionTool, pickTool } from '../translation/freeform-tool.ts';
import { warnOfLost } from '../translation/lost-features.ts';
import { effortShares, limitBudget } from '../translation/thinking-budget.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { encodeMessages } from './messages-encoder.ts';

/** Maximum output of Cohere's models in tokens, including thinking. Used if the caller sets no limit. */
const outputTokensMaxOfModels = 32_000;

/**
 * Cohere accepts a thinking token budget but no effort level. `warn` is called if the model does not support thinking,
 * or if the budget must be reduced to leave room for the answer within the output limit.
 */
export function encodeThinking(
  options: ReasoningOptions | undefined,
  facts: ModelFacts | undefined,
  outputTokensMax: number | undefined,
  warn: (name: string) => void,
): object {
  if (options === undefined) return {};
  const isOff = options.effort === 'none' || options.budgetTokens === 0;
  // Models without thinking need no field to disable it.
  if (facts?.reasoning === false) {
    if (!isOff) warn('reasoning_effort');
    return {};
  }
  if (isOff) return { thinking: { type: 'disabled' } };
  const { effort, budgetTokens } = options;
  const capTokens = outputTokensMax ?? outputTokensMaxOfModels;
  const share = effort && Math.max(1, Math.floor(effortShares[effort] * capTokens));
  const budget = budgetTokens === undefined ? share : limitBudget(budgetTokens, capTokens);
  if (budgetTokens !== undefined && budget !== budgetTokens) warn('reasoning_effort');
  return { thinking: { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) } };
}

type Range = readonly [callersName: string, min: number, max: number];

/** Cohere's parameter names, each with the name that callers use and the accepted range. */
const ranges: Readonly<Record<string, Range>> = {
  temperature: ['temperature', 0, 1],
  p: ['top_p', 0.01, 0.99],
  k: ['top_k', 0, 500],
  seed: ['seed', 0, Number.MAX_SAFE_INTEGER],
  frequency_penalty: ['frequency_penalty', 0, 1],
  presence_penalty: ['presence_penalty', 0, 1],
};

/** `warn` is called for each changed or omitted value. */
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

export const { encodeInSteps, encodeRequest } = createRequestEncoder(translate);

function* translate(
  request: CanonicalRequest,
  { facts, model, isStream }: RequestTarget,
): Steps<EncodedRequest> {
  checkCarried(request);
  refuseImages(request);
  const { outputTokensMax, stop, responseFormat } = request;
  const warnings = new Set(request.extensions);
  const warn = (name: string) => warnings.add(name);
  warnOfLost(request, ['detail'], warn);
  const { messages, documents } = yield* encodeMessages(moveAnswerImages(request.messages, facts, warn), {
    isThinking: facts?.reasoning !== false,
    // Cohere rejects documents together with a response format.
    takesDocuments: responseFormat === undefined,
    noteLeftOut: warn,
  });
  if (request.endUser !== undefined) warn('user');
  const body = {
    model,
    messages,
    stream: isStream,
    ...(documents.length > 0 && { documents }),
    ...encodeTools(request, warn),
    ...(responseFormat && { response_format: encodeResponseFormat(responseFormat) }),
    ...(outputTokensMax !== undefined && { max_tokens: outputTokensMax }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...encodeSampling(request.sampling, warn),
    ...encodeThinking(request.reasoning, facts, outputTokensMax, warn),
  };
  return { ok: true, body, warnings: [...warnings] };
}

const stopSequencesMax = 5;

function checkCarried({ count, stop, responseFormat, tools }: CanonicalRequest): void {
  if (count !== undefined && count > 1)
    throw new UntranslatableError('The provider of this model returns only one choice per request.', 'n');
  if (stop.length > stopSequencesMax)
    throw new UntranslatableError(
      `The provider of this model accepts at most ${stopSequencesMax} stop sequences.`,
      'stop',
    );
  if (responseFormat && tools.length > 0)
    throw new UntranslatableError(
      'The provider of this model accepts either tools or a response format, not both.',
      'response_format',
    );
}

/**
 * Cohere cannot force a specific tool, so a forced tool is the only one sent. `warn` is called for each setting that
 * Cohere does not support.
 */
function encodeTools(request: CanonicalRequest, warn: (name: string) => void): object {
  const { tools, toolChoice, isParallelToolUse } = request;
  if (tools.length === 0) return {};
  if (isParallelToolUse === false) warn('parallel_tool_calls');
  const offered = toolChoice?.kind === 'tool' ? pickTool(tools, toolChoice.name) : tools;
  const isStrict = offered.every(canBeStrict);
  if (!isStrict && offered.some((tool) => tool.isStrict)) warn('strict');
  return {
    tools: offered.map((tool) => encodeFunctionTool(tool)),
    ...(isStrict && { strict_tools: true }),
    ...encodeToolChoice(toolChoice),
  };
}

// `strict_tools` applies to all tools, each of which needs at least one required parameter.
function canBeStrict({ isStrict, parameters: { required } }: Tool): boolean {
  return isStrict === true && Array.isArray(required) && required.length > 0;
}

function encodeToolChoice(choice: CanonicalRequest['toolChoice']): object {
  if (choice === undefined || choice.kind === 'auto') return {};
  return { tool_choice: choice.kind === 'none' ? 'NONE' : 'REQUIRED' };
}

/** Cohere always enforces the schema, so there is no field for `isStrict`. */
function encodeResponseFormat(format: ResponseFormat): object {
  return {
    type: 'json_object',
    ...(format.kind === 'json-schema' && { json_schema: describeSchema(format) }),
  };
}
