import { expect, it } from 'vitest';
import type { ProtocolId } from './canonical/content.ts';
import type { CanonicalRequest } from './canonical/request.ts';
import { findRejectedField, leaveOut } from './optional-fields.ts';
import type { RequestTarget } from './protocol.ts';
import { protocols } from './registry.ts';

const bodies: Readonly<Record<ProtocolId, object>> = {
  'openai-chat': {
    model: 'm',
    ...{
      temperature: 0.2,
      top_p: 1,
      reasoning_effort: 'high',
      user: 'u',
      seed: 1,
      logprobs: true,
      top_logprobs: 3,
    },
  },
  'openai-responses': {
    model: 'm',
    ...{ temperature: 0.2, reasoning: { effort: 'high', summary: 'auto' }, include: ['x'], user: 'u' },
  },
  'anthropic-messages': {
    model: 'm',
    ...{ temperature: 0.2, thinking: { type: 'enabled' }, output_config: { effort: 'low', format: {} } },
  },
  gemini: { generationConfig: { temperature: 0.2, topK: 3, thinkingConfig: { thinkingBudget: 0 } } },
  cohere: { model: 'm', temperature: 0.2, p: 0.5, thinking: { type: 'enabled' } },
  ollama: { model: 'm', think: true, options: { temperature: 0.2, top_p: 0.3 } },
};

type Rejection = readonly [message: string, param?: string | null, code?: string | null];

it.each<[protocol: ProtocolId, rejection: Rejection, field: string | null]>([
  [
    'openai-chat',
    [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'temperature',
      'unsupported_value',
    ],
    'temperature',
  ],
  ['openai-chat', ['Model grok-4 does not support parameter reasoningEffort.'], 'reasoning_effort'],
  ['openai-chat', ['property "seed" is unsupported'], 'seed'],
  ['openai-chat', ['Extra inputs are not permitted: top_logprobs'], 'logprobs'],
  ['openai-chat', ['The user message is not supported'], null],
  [
    'openai-chat',
    ["Invalid 'temperature': decimal above maximum value.", 'temperature', 'decimal_above_max_value'],
    null,
  ],
  [
    'openai-chat',
    ["Invalid schema for function 'seed'", 'tools[0].function.parameters', 'unsupported_value'],
    null,
  ],
  [
    'openai-responses',
    [
      'Your organization must be verified to generate reasoning summaries. This is not supported.',
      'reasoning.summary',
      'unsupported_value',
    ],
    'reasoning.summary',
  ],
  [
    'openai-responses',
    ["Unsupported parameter: 'reasoning.effort' is not supported with this model.", 'reasoning.effort'],
    'reasoning',
  ],
  ['openai-responses', ['Encrypted content is not supported with this model.', 'include'], 'include'],
  ['anthropic-messages', ['`temperature` is deprecated for this model.'], 'temperature'],
  ['anthropic-messages', ['This model does not support the effort parameter.'], 'output_config.effort'],
  [
    'anthropic-messages',
    ['"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'],
    'thinking',
  ],
  ['gemini', ['Thinking budget is not supported for this model.'], 'generationConfig.thinkingConfig'],
  [
    'gemini',
    ['Budget 0 is invalid. This model only works in thinking mode.'],
    'generationConfig.thinkingConfig',
  ],
  ['gemini', ['Invalid JSON payload received. Unknown name "topK"'], 'generationConfig.topK'],
  ['cohere', ["invalid request: model 'm' does not support thinking"], 'thinking'],
  ['ollama', ['"m" does not support thinking'], 'think'],
  ['ollama', ['think value "low" is not supported for this model'], 'think'],
  ['ollama', ['"m" does not support tools'], null],
  ['ollama', ['model "m-thinking" not found'], null],
])(
  'findRejectedField for %s and the error %j returns %s',
  (protocol, [message, param = null, code = null], field) => {
    const model = message.includes('m-thinking') ? 'm-thinking' : 'm';
    const body = bodies[protocol];
    expect(findRejectedField(protocol, body, { message, param, code }, `"${model}"`)).toBe(field);
    if (field === null) return;
    const left = leaveOut(protocol, body, new Set([field]));
    expect(findRejectedField(protocol, left.body, { message, param, code }, model)).toBeNull();
    expect(left.warnings.length).toBe(field === 'include' ? 0 : 1);
  },
);

it('leaveOut of thinking also removes the effort and keeps the rest of output_config', () => {
  const { body } = leaveOut('anthropic-messages', bodies['anthropic-messages'], new Set(['thinking']));
  expect(body).toEqual({ model: 'm', temperature: 0.2, output_config: { format: {} } });
});

const mark = { cacheMark: {} };
const full: CanonicalRequest = {
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Rule', ...mark }] },
    { role: 'user', parts: [{ type: 'text', text: 'Hi', ...mark }] },
  ],
  tools: [{ name: 'find', parameters: { type: 'object', properties: {} }, isStrict: true, ...mark }],
  toolChoice: { kind: 'auto' },
  isParallelToolUse: false,
  outputTokensMax: 4_000,
  stop: [],
  sampling: {
    temperature: 0.5,
    topP: 0.5,
    topK: 5,
    seed: 1,
    presencePenalty: 0.1,
    frequencyPenalty: 0.1,
    logitBias: { 1: 1 },
    topLogprobs: 2,
  },
  endUser: 'u',
  safetyIdentifier: 's',
  promptCacheKey: 'k',
  metadata: { a: 'b' },
  verbosity: 'low',
  extensions: [],
};

/** Fields that affect the meaning of a request, and fields with their own rule. */
const essential: Readonly<Record<ProtocolId, string>> = {
  'openai-chat': 'model messages stream stream_options max_tokens max_completion_tokens tools tool_choice',
  'openai-responses': 'model input stream max_output_tokens tools tool_choice',
  'anthropic-messages': 'model max_tokens system messages stream tools tool_choice.type',
  gemini: 'systemInstruction contents tools toolConfig generationConfig.maxOutputTokens',
  cohere: 'model messages stream tools tool_choice max_tokens',
  ollama: 'model messages stream tools truncate shift options.num_predict',
};

/** Settings in groups, each of which a provider may reject separately. */
const groups = new Set(['generationConfig', 'options', 'text', 'output_config', 'tool_choice']);

function listPaths(body: object): string[] {
  return Object.entries(body).flatMap(([name, held]) =>
    groups.has(name) && typeof held === 'object' && held !== null
      ? Object.keys(held).map((inner) => `${name}.${inner}`)
      : [name],
  );
}

/** Every optional field that an encoder writes, with and without reasoning, since reasoning excludes some fields. */
const written = (Object.keys(essential) as ProtocolId[]).flatMap((protocol) =>
  [false, true].flatMap((isReasoning) => {
    const target: RequestTarget = {
      model: 'm',
      isStream: true,
      defaultOutputTokensMax: 4_000,
      isReasoningModel: isReasoning && protocol.startsWith('openai'),
      facts: { reasoning: true, structuredOutput: true },
      dialect: { takesOpenAiFields: true, takesCacheMarks: true, fitReasoningEffort: (_, effort) => effort },
    };
    const request = isReasoning ? { ...full, reasoning: { effort: 'low' as const, isShown: true } } : full;
    const encoded = protocols[protocol].provider.encodeRequest(request, target);
    if (!encoded.ok) throw new Error(encoded.problem.message);
    const { body } = encoded;
    const deep = ['cache_control', 'strict'].filter((name) => JSON.stringify(body).includes(`"${name}":`));
    const known = essential[protocol].split(' ');
    const paths = [...listPaths(body), ...deep].filter((path) => !known.includes(path));
    return paths.map((path) => ({ protocol, path, body, isReasoning }));
  }),
);

it('every protocol writes optional fields', () => {
  expect(written.length).toBeGreaterThan(60);
  expect(new Set(written.map(({ protocol }) => protocol)).size).toBe(6);
});

it.each(written)(
  '$protocol: leaveOut removes $path if a provider rejects it (reasoning: $isReasoning)',
  ({ protocol, path, body }) => {
    const message = `Unsupported parameter: '${path}' is not supported with this model.`;
    const field = findRejectedField(protocol, body, { message, param: null, code: null }, 'm-1');
    expect(field).not.toBeNull();
    const { body: left } = leaveOut(protocol, body, new Set([field ?? '']));
    expect(findRejectedField(protocol, left, { message, param: null, code: null }, 'm-1')).not.toBe(field);
    expect(JSON.stringify(left).length).toBeLessThan(JSON.stringify(body).length);
  },
);
