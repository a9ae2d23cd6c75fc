import type { ProtocolId } from '../canonical/content.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['a', 'b'] } },
  required: ['city'],
};
const png = 'iVBORw0KGgo=';

export const conversations: Partial<Record<ProtocolId, object>> = {
  'openai-chat': {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 's' }],
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'now', arguments: '{"city":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'ten' }] },
    ],
    tools: [{ type: 'function', function: { name: 'now', description: 'Time', parameters: schema } }],
    tool_choice: { type: 'function', function: { name: 'now' } },
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    stop: ['x'],
    stream_options: { include_usage: true },
    stream: true,
    metadata: { a: 'b' },
    logit_bias: { 1: 2 },
    reasoning: { effort: 'low' },
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 4_000,
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' }, title: 't' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'tool_use', id: 'c1', name: 'now', input: { city: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'ten' }] }],
      },
    ],
    tools: [{ name: 'now', description: 'Time', input_schema: schema }],
    tool_choice: { type: 'tool', name: 'now' },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    output_config: { format: { type: 'json_schema', schema } },
    metadata: { user_id: 'u' },
    stop_sequences: ['x'],
  },
  'openai-responses': {
    model: 'm',
    instructions: 'Be kind.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hello' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}` },
        ],
      },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 's' },
      { type: 'function_call', call_id: 'c1', name: 'now', arguments: '{"city":"a"}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'ten' }] },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
    ],
    tools: [
      { type: 'function', name: 'now', description: 'Time', parameters: schema },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'a' } },
    ],
    tool_choice: { type: 'function', name: 'now' },
    text: { format: { type: 'json_schema', name: 'a', schema }, verbosity: 'low' },
    reasoning: { effort: 'low', summary: 'auto' },
    metadata: { a: 'b' },
    include: ['reasoning.encrypted_content'],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }, { inlineData: { mimeType: 'image/png', data: png } }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true, thoughtSignature: 's' },
          { functionCall: { id: 'c1', name: 'now', args: { city: 'a' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'now',
              response: { output: 'ten' },
              parts: [{ inlineData: { mimeType: 'image/png', data: png } }],
            },
          },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'now',
            description: 'Time',
            parameters: {
              type: 'OBJECT',
              nullable: true,
              properties: { city: { type: 'STRING', minLength: '1', anyOf: [{ type: 'STRING' }] } },
              required: ['city'],
            },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['now'] } },
    generationConfig: {
      maxOutputTokens: 9,
      stopSequences: ['x'],
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
      thinkingConfig: { thinkingBudget: 1, includeThoughts: true },
    },
  },
};
