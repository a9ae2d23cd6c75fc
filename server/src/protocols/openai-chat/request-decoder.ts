import type { ChatCompletionRequest } from '@sluice/contract';
import type { CanonicalRequest, ReasoningWish, Sampling } from '../canonical/request.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { decodeMessages } from './messages-decoder.ts';
import { decodeResponseFormat, decodeToolChoice, decodeTools } from './tools.ts';
import * as wire from './wire.ts';

/**
 * Decodes a chat completion request. @throws UntranslatableError for features of this protocol only without which the
 * response would differ.
 */
export function decodeRequest(request: ChatCompletionRequest): CanonicalRequest {
  refuseWithoutForm(request);
  const fields = readFields(wire.inputFields, request);
  const extensions = new Set(Object.keys(request).filter((name) => isExtension(name, request[name])));
  const tools = decodeTools(fields.tools, (name) => extensions.add(name));
  const messages = decodeMessages(request.messages, (name) => extensions.add(name));
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
    ...(request.user != null && { endUser: request.user }),
    extensions: [...extensions],
  };
}

/** Fields that change the response and exist only in this protocol. */
const withoutForm: Readonly<Record<string, (value: unknown) => boolean>> = {
  functions: () => true,
  function_call: () => true,
  audio: () => true,
  modalities: (value) => Array.isArray(value) && value.some((kind) => kind !== 'text'),
};

function refuseWithoutForm(request: ChatCompletionRequest): void {
  for (const [name, changesAnswer] of Object.entries(withoutForm)) {
    if (request[name] == null || !changesAnswer(request[name])) continue;
    const advice = name.startsWith('function') ? " Send 'tools' and 'tool_choice' instead." : '';
    throw new UntranslatableError(
      `The provider of this model speaks another protocol, which has no '${name}'.${advice}`,
      name,
    );
  }
}

const carried: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'n',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'user',
  'task_id',
  'format',
  'modalities',
  ...Object.keys(wire.inputFields.shape),
]);

function isExtension(name: string, value: unknown): boolean {
  if (value == null || value === false || carried.has(name)) return false;
  return name !== 'metadata' || Object.keys(value).some((key) => key !== 'task_id');
}

function decodeSampling(request: ChatCompletionRequest, fields: wire.InputFields): Sampling {
  const { temperature, top_p, seed, presence_penalty, frequency_penalty } = request;
  const topLogprobs = fields.logprobs ? (fields.top_logprobs ?? 0) : null;
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

// OpenAI's field, and the equivalents of OpenRouter and DeepSeek.
function decodeReasoning({ reasoning_effort, reasoning, thinking }: wire.InputFields): ReasoningWish | null {
  const isOff = thinking?.type === 'disabled' || reasoning?.enabled === false;
  const effort = reasoning_effort ?? reasoning?.effort ?? (isOff ? 'none' : null);
  const budgetTokens = reasoning?.max_tokens ?? thinking?.budget_tokens;
  const wish = {
    ...(effort !== null && { effort }),
    ...(budgetTokens != null && { budgetTokens }),
    ...(reasoning?.exclude != null && { isShown: !reasoning.exclude }),
  };
  return Object.keys(wish).length === 0 ? null : wish;
}
