import { expect, it } from 'vitest';
import type { ProtocolId } from './canonical/content.ts';
import { findRejectedField, leaveOut } from './optional-fields.ts';

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
])('a provider of %s that says %j rejects %s', (protocol, [message, param = null, code = null], field) => {
  const model = message.includes('m-thinking') ? 'm-thinking' : 'm';
  const body = bodies[protocol];
  expect(findRejectedField(protocol, body, { message, param, code }, `"${model}"`)).toBe(field);
  if (field === null) return;
  const left = leaveOut(protocol, body, new Set([field]));
  expect(findRejectedField(protocol, left.body, { message, param, code }, model)).toBeNull();
  expect(left.warnings.length).toBe(field === 'include' ? 0 : 1);
});

it('leaveOut keeps the rest of an object that contained the field', () => {
  const { body } = leaveOut('anthropic-messages', bodies['anthropic-messages'], new Set(['thinking']));
  expect(body).toEqual({ model: 'm', temperature: 0.2, output_config: { format: {} } });
});
