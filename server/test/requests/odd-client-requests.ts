import type { Dialect } from './dialects.ts';

type Fields = Readonly<Record<string, unknown>>;

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const plainText = Buffer.from('abc').toString('base64');
const parameters = { type: 'object', properties: { a: { type: 'string' } } };
const richSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    a: { $ref: '#/$defs/A' },
    b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    c: { const: 1 },
    d: { type: ['string', 'null'] },
    e: { enum: [1, 'x', null] },
  },
  $defs: { A: { type: 'object', properties: { x: { $ref: '#/$defs/A' } } } },
  additionalProperties: false,
};
const callIds = {
  "of Anthropic's calls": 'toolu_01A09q90qw90lq917835lq9',
  'of a call and an item': 'call_abc|fc_0123456789',
  'of Kimi': 'functions.read:0',
  'of 400 characters': `call_${'x'.repeat(400)}`,
  'with characters outside ASCII': 'anruf_ä_😀',
  'with spaces': 'call 1 / 2',
  'that is a number': '0',
  'that is empty': '',
};
const withIds = (make: (id: string) => Fields) =>
  Object.fromEntries(Object.entries(callIds).map(([name, id]) => [`a call id ${name}`, make(id)]));

const hello = { role: 'user', content: 'Hello' };
const tool = { type: 'function', function: { name: 'f', description: 'd', parameters } };
const chatCall = (id: string, json = '{"a":"b"}') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: json },
});
const chatTurn = (id: string, json?: string, fields: object = {}, result: unknown = 'ok') => [
  { role: 'assistant', content: null, tool_calls: [chatCall(id, json)], ...fields },
  { role: 'tool', tool_call_id: id, content: result },
];
const chatUser = (...content: object[]): Fields => ({ messages: [{ role: 'user', content }] });
const chatImage = (url: string): Fields => chatUser({ type: 'image_url', image_url: { url } });
const chatTool = (fields: object): Fields => ({
  tools: [{ type: 'function', function: { name: 'f', ...fields } }],
});
const afterHello = (...messages: object[]): Fields => ({ tools: [tool], messages: [hello, ...messages] });

const chat: Readonly<Record<string, Fields>> = {
  ...withIds((id) => afterHello(...chatTurn(id))),
  'the same call id in each turn': afterHello(
    ...chatTurn('call_0'),
    ...chatTurn('call_0'),
    ...chatTurn('call_0'),
  ),
  'results in another order than the calls': afterHello(
    { role: 'assistant', tool_calls: [chatCall('a'), chatCall('b')] },
    { role: 'tool', tool_call_id: 'b', content: '1' },
    { role: 'tool', tool_call_id: 'a', content: '2' },
  ),
  'content as an empty list next to calls': afterHello(...chatTurn('a', '{}', { content: [] })),
  'an assistant message without content': { messages: [hello, { role: 'assistant' }, hello] },
  'an assistant message with content null': {
    messages: [hello, { role: 'assistant', content: null }, hello],
  },
  'an assistant message with empty content': { messages: [hello, { role: 'assistant', content: '' }, hello] },
  'a message as an SDK returned it': {
    messages: [
      hello,
      {
        role: 'assistant',
        content: 'x',
        refusal: null,
        annotations: [],
        audio: null,
        function_call: null,
        tool_calls: [],
        reasoning_content: null,
      },
      hello,
    ],
  },
  'an empty part next to a full one': chatUser({ type: 'text', text: '' }, { type: 'text', text: 'x' }),
  'developer messages within the conversation': {
    messages: [{ role: 'developer', content: 'a' }, hello, { role: 'developer', content: 'b' }, hello],
  },
  'a system message at the end': { messages: [hello, { role: 'system', content: 'x' }] },
  'two user messages': { messages: [hello, hello] },
  'an assistant message at the start': { messages: [{ role: 'assistant', content: 'x' }, hello] },
  'an assistant message that ends in a space': { messages: [hello, { role: 'assistant', content: 'x ' }] },
  'an empty list of tools and a tool choice': { tools: [], tool_choice: 'auto', parallel_tool_calls: true },
  'a tool choice without tools': { tool_choice: 'none', parallel_tool_calls: false },
  'a tool without parameters': chatTool({}),
  'a tool with parameters null': chatTool({ description: null, parameters: null, strict: null }),
  'a tool with empty parameters': chatTool({ parameters: {} }),
  'a tool with references and unions': chatTool({ parameters: richSchema }),
  'a tool whose name other vendors reject': chatTool({ name: 'mcp__server/tool.näme:x', parameters }),
  'a tool given twice': { tools: [tool, tool] },
  'arguments that are empty': afterHello(...chatTurn('a', '')),
  'arguments null': afterHello(...chatTurn('a', 'null')),
  'arguments that are cut off': afterHello(...chatTurn('a', '{"a":')),
  'arguments that are a list': afterHello(...chatTurn('a', '[1]')),
  'arguments with a large number': afterHello(...chatTurn('a', '{"a":12345678901234567890}')),
  'an empty result': afterHello(...chatTurn('a', '{}', {}, '')),
  'a result null': afterHello(...chatTurn('a', '{}', {}, null)),
  'a result as an empty list': afterHello(...chatTurn('a', '{}', {}, [])),
  'an image with the type jpg': chatImage(`data:image/jpg;base64,${png}`),
  'an image without a type': chatImage(`data:application/octet-stream;base64,${png}`),
  'an image in capitals': chatImage(`DATA:IMAGE/PNG;BASE64,${png}`),
  'an image with a charset': chatImage(`data:image/png;charset=utf-8;base64,${png}`),
  'an image with line breaks': chatImage(`data:image/png;base64,${png.slice(0, 40)}\n${png.slice(40)}`),
  'an image without padding': chatImage(`data:image/png;base64,${png.replace(/=+$/, '')}`),
  'an image URL as text': chatUser({ type: 'image_url', image_url: `data:image/png;base64,${png}` }),
  'a text file': chatUser({
    type: 'file',
    file: { filename: 'a.md', file_data: `data:text/markdown;base64,${plainText}` },
  }),
  'text in several scripts': { messages: [{ role: 'user', content: '👩‍👩‍👧 \u202e مرحبا \u0000 \ufeff' }] },
  'empty stop sequences': { stop: [''] },
  'fields that are null': Object.fromEntries(
    [
      ...['stop', 'temperature', 'top_p', 'n', 'max_tokens', 'max_completion_tokens', 'tools', 'tool_choice'],
      ...['response_format', 'seed', 'user', 'logit_bias', 'logprobs', 'top_logprobs', 'presence_penalty'],
      ...['stream_options', 'reasoning_effort', 'modalities', 'audio', 'prediction', 'store', 'metadata'],
    ].map((name) => [name, null]),
  ),
};

const image = (media_type: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
const ask = (...content: object[]) => ({ role: 'user', content });
const anthropicTool = { name: 'f', description: 'd', input_schema: parameters };
const toolUse = (id: string, before: object[] = [], input: unknown = { a: 'b' }) => ({
  role: 'assistant',
  content: [...before, { type: 'tool_use', id, name: 'f', input }],
});
const toolResult = (id: string, fields: object = { content: 'ok' }) =>
  ask({ type: 'tool_result', tool_use_id: id, ...fields });
const used = (...messages: object[]): Fields => ({ tools: [anthropicTool], messages: [hello, ...messages] });

const messages: Readonly<Record<string, Fields>> = {
  ...withIds((id) => used(toolUse(id), toolResult(id))),
  'empty system texts': { system: [{ type: 'text', text: '' }] },
  'system null': { system: null },
  'an empty assistant message': { messages: [hello, { role: 'assistant', content: '' }, hello] },
  'an assistant message without blocks': { messages: [hello, { role: 'assistant', content: [] }, hello] },
  'an empty block next to a full one': {
    messages: [ask({ type: 'text', text: '' }, { type: 'text', text: 'x' })],
  },
  'input null': used(toolUse('a', [], null), toolResult('a')),
  'a result without content': used(toolUse('a'), toolResult('a', {})),
  'a result without blocks': used(toolUse('a'), toolResult('a', { content: [] })),
  'a result with an empty text': used(
    toolUse('a'),
    toolResult('a', { content: [{ type: 'text', text: '' }] }),
  ),
  'a result with an image': used(toolUse('a'), toolResult('a', { content: [image('image/png', png)] })),
  'a result that failed': used(toolUse('a'), toolResult('a', { content: 'x', is_error: true })),
  'a result after a text': used(toolUse('a'), {
    role: 'user',
    content: [
      { type: 'text', text: 'x' },
      { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
    ],
  }),
  'thinking without a signature': used(toolUse('a', [{ type: 'thinking', thinking: 'x' }]), toolResult('a')),
  'thinking with an empty signature': used(
    toolUse('a', [{ type: 'thinking', thinking: 'x', signature: '' }]),
    toolResult('a'),
  ),
  'redacted thinking': used(toolUse('a', [{ type: 'redacted_thinking', data: 'x' }]), toolResult('a')),
  'an image of another type than declared': { messages: [ask(image('image/jpeg', png))] },
  'an image with the type jpg': { messages: [ask(image('image/jpg', png))] },
  'image data that begins as a data URL': {
    messages: [ask(image('image/png', `data:image/png;base64,${png}`))],
  },
  'an image URL that is a data URL': {
    messages: [ask({ type: 'image', source: { type: 'url', url: `data:image/png;base64,${png}` } })],
  },
  'a text document': {
    messages: [ask({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'abc' } })],
  },
  'an empty list of tools and a tool choice': { tools: [], tool_choice: { type: 'auto' } },
  'a tool without a schema': { tools: [{ name: 'f', input_schema: {} }] },
  'a tool of the type custom': { tools: [{ type: 'custom', ...anthropicTool }] },
  'empty stop sequences': { stop_sequences: [''] },
  'an assistant message at the start': { messages: [{ role: 'assistant', content: 'x' }, hello] },
  'fields that are null': Object.fromEntries(
    ['tools', 'tool_choice', 'metadata', 'stop_sequences', 'thinking', 'container'].map((name) => [
      name,
      null,
    ]),
  ),
};

const turn = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const greet = turn({ text: 'Hello' });
const declare = (fields: object): Fields => ({
  tools: [{ functionDeclarations: [{ name: 'f', ...fields }] }],
});
const geminiTurn = (call: object, response: object): Fields => ({
  ...declare({}),
  contents: [
    greet,
    model({ functionCall: { name: 'f', ...call } }),
    turn({ functionResponse: { name: 'f', ...response } }),
  ],
});

const gemini: Readonly<Record<string, Fields>> = {
  'parts as an object': { contents: [{ parts: { text: 'x' } }] },
  'contents as an object': { contents: { parts: { text: 'x' } } },
  'a system instruction as an object': { systemInstruction: { parts: { text: 'x' } } },
  'a system instruction in snake case': { system_instruction: { parts: [{ text: 'x' }] } },
  'tools as an object': { tools: { functionDeclarations: { name: 'f' } } },
  'a content without a role': { contents: [{ parts: [{ text: 'x' }] }] },
  'the role function': {
    ...geminiTurn({ args: {} }, {}),
    contents: [
      greet,
      model({ functionCall: { name: 'f' } }),
      { role: 'function', parts: [{ functionResponse: { name: 'f', response: { x: 1 } } }] },
    ],
  },
  'an empty content of the model': { contents: [greet, { role: 'model', parts: [] }, greet] },
  'a content of the model without parts': { contents: [greet, { role: 'model' }, greet] },
  'an empty part': { contents: [turn({ text: 'x' }, {})] },
  'a call without arguments': geminiTurn({}, { response: { x: 1 } }),
  'a call with arguments null': geminiTurn({ args: null }, { response: { x: 1 } }),
  'a call with an id': geminiTurn({ id: 'call_1', args: {} }, { id: 'call_1', response: { x: 1 } }),
  'the same call id in each turn': {
    ...declare({}),
    contents: [1, 2].flatMap(() => [
      greet,
      model({ functionCall: { id: '0', name: 'f', args: {} } }),
      turn({ functionResponse: { id: '0', name: 'f', response: { x: 1 } } }),
    ]),
  },
  'a response without content': geminiTurn({ args: {} }, {}),
  'two calls of one function': {
    ...declare({}),
    contents: [
      greet,
      model({ functionCall: { name: 'f' } }, { functionCall: { name: 'f', args: { a: 'x' } } }),
      turn(
        { functionResponse: { name: 'f', response: { x: 1 } } },
        { functionResponse: { name: 'f', response: { x: 2 } } },
      ),
    ],
  },
  'fields that are null': { generationConfig: null, tools: null, toolConfig: null, cachedContent: null },
  'settings that are null': {
    generationConfig: Object.fromEntries(
      ['temperature', 'topP', 'topK', 'maxOutputTokens', 'stopSequences', 'responseSchema', 'seed'].map(
        (name) => [name, null],
      ),
    ),
  },
  'an empty tool': { tools: [{}] },
  'a mode without tools': { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
  'parameters null': declare({ parameters: null }),
  'a JSON schema with references and unions': declare({ parametersJsonSchema: richSchema }),
  'a name with dots': declare({ name: 'a.b:c-d' }),
  'an image with the type jpg': { contents: [turn({ inlineData: { mimeType: 'image/jpg', data: png } })] },
  'a file that is a data URL': {
    contents: [turn({ fileData: { fileUri: `data:image/png;base64,${png}` } }, { text: 'x' })],
  },
  'a text file': { contents: [turn({ inlineData: { mimeType: 'text/plain', data: plainText } })] },
  'a thought that comes back': {
    contents: [greet, model({ text: 'x', thought: true }, { text: 'y', thoughtSignature: 'c2ln' }), greet],
  },
  'a content of the model at the start': { contents: [model({ text: 'x' }), greet] },
};

const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] };
const responsesTool = { type: 'function', name: 'f', description: 'd', parameters };
const said = (...input: object[]): Fields => ({ tools: [responsesTool], input: [message, ...input] });
const functionCall = (id: string, fields: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
  ...fields,
});
const callOutput = (id: string, output: unknown = 'ok') => ({
  type: 'function_call_output',
  call_id: id,
  output,
});
const item = (fields: object): Fields => said(functionCall('a', fields), callOutput('a'));

const responses: Readonly<Record<string, Fields>> = {
  ...withIds((id) => said(functionCall(id), callOutput(id))),
  'the same call id in each turn': said(
    functionCall('0'),
    callOutput('0'),
    functionCall('0'),
    callOutput('0'),
  ),
  'instructions null': { instructions: null },
  'a message without a type': { input: [hello] },
  'an assistant message as text': { input: [hello, { role: 'assistant', content: 'x' }, hello] },
  'an assistant message with a text part': {
    input: [hello, { role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }, hello],
  },
  'an empty assistant message': { input: [hello, { role: 'assistant', content: [] }, hello] },
  'a call as an SDK returned it': item({ id: null, status: null }),
  'arguments that are empty': item({ arguments: '' }),
  'arguments that are cut off': item({ arguments: '{"a":' }),
  'an empty output': said(functionCall('a'), callOutput('a', '')),
  'an output without parts': said(functionCall('a'), callOutput('a', [])),
  'an output with an image': said(
    functionCall('a'),
    callOutput('a', [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }]),
  ),
  'reasoning without content': said(
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
    message,
  ),
  'an empty list of tools and a tool choice': { tools: [], tool_choice: 'auto', parallel_tool_calls: true },
  'a tool with parameters null': { tools: [{ type: 'function', name: 'f', parameters: null, strict: null }] },
  'a request as an SDK returns it': {
    background: false,
    include: [],
    max_tool_calls: null,
    metadata: {},
    reasoning: { effort: null, summary: null },
    store: false,
    text: { format: { type: 'text' } },
    top_logprobs: 0,
    truncation: 'disabled',
  },
  'fields that are null': Object.fromEntries(
    [
      ...['tools', 'tool_choice', 'text', 'reasoning', 'include', 'store', 'previous_response_id', 'prompt'],
      ...['truncation', 'metadata', 'max_output_tokens', 'temperature', 'user', 'background', 'conversation'],
    ].map((name) => [name, null]),
  ),
};

/** Unusual requests that clients send, by protocol. Each contains the fields that replace those of a plain request. */
export const oddClientRequests: Readonly<Record<Dialect, Readonly<Record<string, Fields>>>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
};
