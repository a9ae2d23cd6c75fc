import { type Feature, png, say, schema } from './feature.ts';

const chatTools = { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] };
const responsesTools = { tools: [{ type: 'function', name: 'f', parameters: schema }] };
const messagesTools = { tools: [{ name: 'f', input_schema: schema }] };
const geminiTools = { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }] };

/** MCP allows names of 128 characters. */
const longName = 'f'.repeat(100);

const chatLoop = (content: unknown) => ({
  ...chatTools,
  messages: [
    { role: 'user', content: say },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content },
  ],
});
const responsesLoop = (output: unknown) => ({
  ...responsesTools,
  input: [
    { role: 'user', content: say },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
    { type: 'function_call_output', call_id: 'c1', output },
  ],
});
const messagesLoop = (result: object) => ({
  ...messagesTools,
  messages: [
    { role: 'user', content: say },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...result }] },
  ],
});
const geminiLoop = (response: object) => ({
  ...geminiTools,
  contents: [
    { role: 'user', parts: [{ text: say }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response } }] },
  ],
});

export const tools: readonly Feature[] = [
  {
    name: 'tools',
    fields: {
      'openai-chat': chatTools,
      'openai-responses': responsesTools,
      'anthropic-messages': messagesTools,
      gemini: geminiTools,
    },
  },
  {
    name: 'tool choice: any tool required',
    fields: {
      'openai-chat': { ...chatTools, tool_choice: 'required' },
      'openai-responses': { ...responsesTools, tool_choice: 'required' },
      'anthropic-messages': { ...messagesTools, tool_choice: { type: 'any' } },
      gemini: { ...geminiTools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    },
  },
  {
    name: 'tool choice: one tool required',
    fields: {
      'openai-chat': { ...chatTools, tool_choice: { type: 'function', function: { name: 'f' } } },
      'openai-responses': { ...responsesTools, tool_choice: { type: 'function', name: 'f' } },
      'anthropic-messages': { ...messagesTools, tool_choice: { type: 'tool', name: 'f' } },
      gemini: {
        ...geminiTools,
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      },
    },
  },
  {
    name: 'no parallel calls',
    fields: {
      'openai-chat': { ...chatTools, parallel_tool_calls: false },
      'openai-responses': { ...responsesTools, parallel_tool_calls: false },
      'anthropic-messages': {
        ...messagesTools,
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      },
    },
  },
  {
    name: 'tool results',
    fields: {
      'openai-chat': chatLoop('ten'),
      'openai-responses': responsesLoop('ten'),
      'anthropic-messages': messagesLoop({ content: 'ten' }),
      gemini: geminiLoop({ output: 'ten' }),
    },
  },
  {
    name: 'tool result with an error',
    fields: {
      'anthropic-messages': messagesLoop({ content: 'no', is_error: true }),
      gemini: geminiLoop({ error: 'no' }),
    },
  },
  {
    name: 'tool result with an image',
    fields: {
      'openai-responses': responsesLoop([{ type: 'input_image', image_url: `data:image/png;base64,${png}` }]),
      'anthropic-messages': messagesLoop({
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
      }),
    },
  },
  {
    name: 'custom tools with text input',
    fields: {
      'openai-chat': { tools: [{ type: 'custom', custom: { name: 'f' } }] },
      'openai-responses': { tools: [{ type: 'custom', name: 'f' }] },
    },
  },
  {
    name: 'tools in a namespace',
    fields: { 'openai-responses': { tools: [{ type: 'namespace', name: 'n', ...responsesTools }] } },
  },
  {
    name: 'tools added within the conversation',
    fields: {
      'openai-responses': {
        input: [
          { type: 'additional_tools', role: 'developer', ...responsesTools },
          { role: 'user', content: say },
        ],
      },
      'anthropic-messages': {
        messages: [
          { role: 'user', content: say },
          {
            role: 'system',
            content: [
              {
                type: 'tool_addition',
                tool: { type: 'tool_definition', definition: { name: 'f', input_schema: schema } },
              },
            ],
          },
        ],
      },
    },
  },
  {
    name: 'tool name that is too long for a provider',
    fields: {
      'openai-responses': { tools: [{ type: 'function', name: longName, parameters: schema }] },
      'openai-chat': { tools: [{ type: 'function', function: { name: longName, parameters: schema } }] },
      'anthropic-messages': { tools: [{ name: longName, input_schema: schema }] },
      gemini: { tools: [{ functionDeclarations: [{ name: longName, parametersJsonSchema: schema }] }] },
    },
  },
  {
    name: 'provider-run tools and unknown kinds of tools',
    fields: {
      'openai-chat': { tools: [{ type: 'something_new' }] },
      'openai-responses': { tools: [{ type: 'web_search' }, { type: 'something_new' }] },
      'anthropic-messages': { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      gemini: { tools: [{ googleSearch: {} }] },
    },
  },
  {
    name: 'tool choice: one of these required',
    fields: {
      'openai-chat': { tools: [{ type: 'something_new' }], tool_choice: 'required' },
      'openai-responses': { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
      'anthropic-messages': {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      gemini: { tools: [{ googleSearch: {} }], toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    },
  },
];
