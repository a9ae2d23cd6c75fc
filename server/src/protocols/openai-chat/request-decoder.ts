import type { ChatCompletionRequest } from '@sluice/contract';
import { listUnlisted } from '../caller-request/request-shape.ts';
import type { CanonicalRequest, ReasoningOptions, Sampling } from '../canonical/request.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { decodeMessages } from './messages-decoder.ts';
import { decodeResponseFormat, decodeToolChoice, decodeTools } from './tools.ts';
import { translatedFields } from './translated-fields.ts';
import * as wire from './wire.ts';

/**
 * Decodes a chat completion request. @throws UntranslatableError for features that only exist in this protocol and
 * change the response.
 */
export function decodeRequest(request: ChatCompletionRequest): CanonicalRequest {
  refuseWithoutForm(request);
  const fields = readFields(wire.inputFields, request);
  const extensions = new Set(listUnlisted(request, translatedFields));
  const tools = decodeTools(fields.tools, (name) => extensions.add(name));
  const messages = decodeMessages(request.messages);
  const outputTokensMax = request.max_completion_tokens ?? request.max_tokens;
  const responseFormat = fields.response_format && decodeResponseFormat(fields.response_format);
  const reasoning = decodeReasoning(fields);
  return {
    messages,
    ...decodeToolChoice(fields, tools),
    ...(fields.parallel_tool_calls != null && { isParallelToolUse: fields.parallel_tool_calls }),
    ...(outputTokensMax != null && { outputTokensMax }),
    ...(request.n != null && { count: request.n }),
    stop: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
    sampling: decodeSampling(request, fields),
    ...(responseFormat && { responseFormat }),
    ...(reasoning && { reasoning }),
    ...(Array.isArray(request.modalities) && request.modalities.includes('image') && { wantsImages: true }),
    ...decodeLabels(request, fields),
    extensions: [...extensions],
  };
}

/** Fields that change the response and only exist in this protocol. */
const withoutForm: Readonly<Record<string, (value: unknown) => boolean>> = {
  functions: () => true,
  function_call: () => true,
  audio: () => true,
  modalities: (value) => !Array.isArray(value) || value.some((kind) => kind !== 'text' && kind !== 'image'),
};

function refuseWithoutForm(request: ChatCompletionRequest): void {
  for (const [name, changesAnswer] of Object.entries(withoutForm)) {
    if (request[name] == null || !changesAnswer(request[name])) continue;
    const advice = name.startsWith('function') ? " Send 'tools' and 'tool_choice' instead." : '';
    throw new UntranslatableError(
      `The provider of this model uses another protocol, which does not support '${name}'.${advice}`,
      name,
    );
  }
}

function decodeSampling(request: ChatCompletionRequest, fields: wire.InputFields): Sampling {
  const { temperature, top_p, presence_penalty, frequency_penalty } = request;
  const seed = request.seed ?? fields.random_seed;
  const topLogprobs = fields.top_logprobs || (fields.logprobs ? 0 : null);
  return {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { topP: top_p }),
    ...(fields.top_k != null && { topK: fields.top_k }),
    ...(seed != null && { seed }),
    ...(presence_penalty != null && { presencePenalty: presence_penalty }),
    ...(frequency_penalty != null && { frequencyPenalty: frequency_penalty }),
    ...(fields.logit_bias != null && { logitBias: fields.logit_bias }),
    ...(topLogprobs !== null && { topLogprobs }),
  };
}

function decodeLabels(
  { user, metadata }: ChatCompletionRequest,
  { safety_identifier, prompt_cache_key, verbosity }: wire.InputFields,
): Partial<CanonicalRequest> {
  const { task_id: _, ...labels } = metadata ?? {};
  return {
    ...(user != null && { endUser: user }),
    ...(safety_identifier != null && { safetyIdentifier: safety_identifier }),
    ...(prompt_cache_key != null && { promptCacheKey: prompt_cache_key }),
    ...(verbosity != null && { verbosity }),
    ...(Object.keys(labels).length > 0 && { metadata: labels }),
  };
}

// Decodes OpenAI's reasoning field and the equivalents at OpenRouter, DeepSeek, Anthropic and Qwen.
function decodeReasoning(fields: wire.InputFields): ReasoningOptions | null {
  const { reasoning_effort, reasoning, thinking, enable_thinking } = fields;
  const isOff = thinking?.type === 'disabled' || reasoning?.enabled === false || enable_thinking === false;
  const isOn = thinking != null || reasoning?.enabled === true || enable_thinking === true;
  const effort = reasoning_effort ?? reasoning?.effort ?? (isOff ? 'none' : null);
  const budgetTokens = reasoning?.max_tokens ?? thinking?.budget_tokens ?? fields.thinking_budget;
  const isShown = reasoning?.exclude == null ? fields.include_reasoning : !reasoning.exclude;
  const options = {
    ...(effort !== null && { effort }),
    ...(budgetTokens != null && { budgetTokens }),
    ...(isOn && effort === null && budgetTokens == null && { isOn }),
    ...(isShown != null && { isShown }),
  };
  return Object.keys(options).length === 0 ? null : options;
}
