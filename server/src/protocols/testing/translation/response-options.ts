import { type Feature, say, schema } from './feature.ts';

const generation = (config: object) => ({ generationConfig: config });

export const responseOptions: readonly Feature[] = [
  {
    name: 'answer prefilled by the caller',
    fields: {
      'openai-chat': {
        messages: [
          { role: 'user', content: say },
          { role: 'assistant', content: 'It is' },
        ],
      },
      'openai-responses': {
        input: [
          { role: 'user', content: say },
          { role: 'assistant', content: 'It is' },
        ],
      },
      'anthropic-messages': {
        messages: [
          { role: 'user', content: say },
          { role: 'assistant', content: 'It is' },
        ],
      },
      gemini: {
        contents: [
          { role: 'user', parts: [{ text: say }] },
          { role: 'model', parts: [{ text: 'It is' }] },
        ],
      },
    },
  },
  {
    name: 'output cap',
    fields: {
      'openai-chat': { max_tokens: 99 },
      'openai-responses': { max_output_tokens: 99 },
      'anthropic-messages': { max_tokens: 99 },
      gemini: generation({ maxOutputTokens: 99 }),
    },
  },
  {
    name: 'stop sequences',
    fields: {
      'openai-chat': { stop: ['END'] },
      'anthropic-messages': { stop_sequences: ['END'] },
      gemini: generation({ stopSequences: ['END'] }),
    },
  },
  { name: 'several answers', fields: { 'openai-chat': { n: 2 }, gemini: generation({ candidateCount: 2 }) } },
  {
    name: 'JSON',
    fields: {
      'openai-chat': { response_format: { type: 'json_object' } },
      'openai-responses': { text: { format: { type: 'json_object' } } },
      gemini: generation({ responseMimeType: 'application/json' }),
    },
  },
  {
    name: 'JSON with a schema',
    fields: {
      'openai-chat': {
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
      },
      'openai-responses': { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } },
      'anthropic-messages': { output_config: { format: { type: 'json_schema', schema } } },
      gemini: generation({ responseMimeType: 'application/json', responseJsonSchema: schema }),
    },
  },
  {
    name: 'reasoning',
    needsReasoning: true,
    fields: {
      'openai-chat': { reasoning_effort: 'low' },
      'openai-responses': { reasoning: { effort: 'low' } },
      'anthropic-messages': { thinking: { type: 'enabled', budget_tokens: 2_000 } },
      gemini: generation({ thinkingConfig: { thinkingBudget: 2_000 } }),
    },
  },
  {
    name: 'temperature',
    fields: {
      'openai-chat': { temperature: 0.3 },
      'openai-responses': { temperature: 0.3 },
      'anthropic-messages': { temperature: 0.3 },
      gemini: generation({ temperature: 0.3 }),
    },
  },
  {
    name: 'top p',
    fields: {
      'openai-chat': { top_p: 0.3 },
      'openai-responses': { top_p: 0.3 },
      'anthropic-messages': { top_p: 0.3 },
      gemini: generation({ topP: 0.3 }),
    },
  },
  { name: 'top k', fields: { 'anthropic-messages': { top_k: 5 }, gemini: generation({ topK: 5 }) } },
  { name: 'seed', fields: { 'openai-chat': { seed: 7 }, gemini: generation({ seed: 7 }) } },
  {
    name: 'penalties',
    fields: {
      'openai-chat': { presence_penalty: 0.5, frequency_penalty: 0.5 },
      gemini: generation({ presencePenalty: 0.5, frequencyPenalty: 0.5 }),
    },
  },
  { name: 'token bias', fields: { 'openai-chat': { logit_bias: { 50256: -100 } } } },
  {
    name: 'log probabilities',
    fields: {
      'openai-chat': { logprobs: true, top_logprobs: 2 },
      'openai-responses': { top_logprobs: 2, include: ['message.output_text.logprobs'] },
      gemini: generation({ responseLogprobs: true, logprobs: 2 }),
    },
  },
  {
    name: 'end user id',
    fields: {
      'openai-chat': { user: 'u1' },
      'openai-responses': { user: 'u1' },
      'anthropic-messages': { metadata: { user_id: 'u1' } },
    },
  },
  {
    name: 'cache markers',
    fields: {
      'anthropic-messages': {
        messages: [
          { role: 'user', content: [{ type: 'text', text: say, cache_control: { type: 'ephemeral' } }] },
        ],
      },
      'openai-responses': { prompt_cache_key: 'k' },
      'openai-chat': { prompt_cache_key: 'k' },
    },
  },
  {
    name: 'unknown fields',
    fields: {
      'openai-chat': { new_field: 1 },
      'openai-responses': { new_field: 1 },
      'anthropic-messages': { new_field: 1 },
      gemini: { newField: 1 },
    },
  },
  {
    name: 'conversation stored at the provider',
    fields: {
      'openai-responses': { previous_response_id: 'resp_1' },
      'anthropic-messages': { thread: { type: 'continue', previous_message_id: 'msg_1' } },
    },
  },
];
