import { describe, expect, it } from 'vitest';
import { findPaidExtra } from './priced-by-tokens.ts';

type Protocol = Parameters<typeof findPaidExtra>[1];

const messages = [{ role: 'user', content: 'Hi' }];
const bodies: Record<Protocol, object> = {
  'openai-chat': { model: 'm', messages },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', max_tokens: 5, messages },
  gemini: { contents: [{ parts: [{ text: 'Hi' }] }] },
  embeddings: { model: 'm', input: 'Hi' },
};
const find = (protocol: Protocol, more: object) =>
  findPaidExtra({ value: { ...bodies[protocol], ...more } }, protocol);

describe('findPaidExtra with extras', () => {
  it.each<[Protocol, object, string]>([
    ['openai-chat', { service_tier: 'priority' }, 'service_tier'],
    ['openai-chat', { service_tier: 'flex' }, 'service_tier'],
    ['openai-chat', { web_search_options: {} }, 'web_search_options'],
    ['openai-chat', { modalities: ['text', 'audio'], audio: { voice: 'a' } }, 'modalities[1]'],
    ['openai-chat', { tools: [{ type: 'builtin_function' }] }, 'tools[0]'],
    ['openai-chat', { plugins: [{ id: 'web' }] }, 'plugins'],
    ['openai-chat', { models: ['dear'] }, 'models'],
    ['openai-chat', { search_parameters: { mode: 'on' } }, 'search_parameters'],
    ['openai-chat', { whatever_comes_next: true }, 'whatever_comes_next'],
    ['openai-responses', { service_tier: 'priority' }, 'service_tier'],
    ...['web_search', 'web_search_preview', 'code_interpreter', 'file_search', 'image_generation', 'computer']
      .concat('computer_use_preview', 'shell', 'x_search', 'mcp', 'tool_of_next_year')
      .map((type): [Protocol, object, string] => [
        'openai-responses',
        { tools: [{ type: 'function', name: 'f' }, { type }] },
        'tools[1]',
      ]),
    [
      'openai-responses',
      { tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] },
      'tools[0].tools[0]',
    ],
    ['anthropic-messages', { mcp_servers: [{ type: 'url', url: 'https://example.com' }] }, 'mcp_servers'],
    ['anthropic-messages', { container: { skills: [] } }, 'container'],
    ['embeddings', { provider: { only: ['dear'] } }, 'provider'],
    ['anthropic-messages', { service_tier: 'priority' }, 'service_tier'],
    ['anthropic-messages', { speed: 'fast' }, 'speed'],
    ['anthropic-messages', { inference_geo: 'us' }, 'inference_geo'],
    ['anthropic-messages', { fallbacks: [{ model: 'dear' }] }, 'fallbacks'],
    ...['web_search_20250305', 'web_fetch_20250910', 'code_execution_20250825', 'advisor_20260301'].map(
      (type): [Protocol, object, string] => [
        'anthropic-messages',
        { tools: [{ type, name: 't' }] },
        'tools[0]',
      ],
    ),
    ...[
      'googleSearch',
      'google_search',
      'googleSearchRetrieval',
      'codeExecution',
      'code_execution',
      'urlContext',
    ]
      .concat('googleMaps', 'fileSearch', 'computerUse')
      .map((name): [Protocol, object, string] => ['gemini', { tools: [{ [name]: {} }] }, 'tools[0]']),
    ['gemini', { tools: { googleSearch: {} } }, 'tools'],
    ...['compact_20260112', 'compact_next_year', 'summarize'].map((type): [Protocol, object, string] => [
      'anthropic-messages',
      { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }, { type }] } },
      'context_management.edits[1].type',
    ]),
    ['gemini', { serviceTier: 'PRIORITY' }, 'serviceTier'],
    ['gemini', { service_tier: 'flex' }, 'service_tier'],
    [
      'gemini',
      { generationConfig: { responseModalities: ['IMAGE'] } },
      'generationConfig.responseModalities[0]',
    ],
    ['gemini', { generation_config: { speech_config: {} } }, 'generation_config.speech_config'],
  ])('findPaidExtra finds extras in a %s request: %j', (protocol, more, path) => {
    expect(find(protocol, more)).toBe(path);
  });
});

describe('findPaidExtra without extras', () => {
  it.each<[Protocol, object]>([
    [
      'openai-chat',
      { tools: [{ type: 'function' }, { type: 'custom' }], service_tier: 'auto', n: 2, stop: ['a'] },
    ],
    ['openai-chat', { service_tier: null, web_search_options: null, modalities: ['text'] }],
    [
      'openai-responses',
      { tools: [{ type: 'function' }, { type: 'tool_search' }], service_tier: 'default', store: false },
    ],
    ['anthropic-messages', { tools: [{ name: 'f' }, { type: 'custom' }, { type: 'bash_20250124' }] }],
    ['anthropic-messages', { tools: [{ type: 'text_editor_20250728' }, { type: 'computer_20250124' }] }],
    [
      'anthropic-messages',
      { tools: [{ type: 'browser_toolset_20260801' }, { type: 'computer_toolset_20260801' }] },
    ],
    [
      'anthropic-messages',
      { tools: [{ type: 'memory_20250818' }, { type: 'tool_search_tool_regex_20251119' }] },
    ],
    [
      'anthropic-messages',
      {
        context_management: {
          edits: [
            { type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value: 5 }, keep: null },
            { type: 'clear_thinking_20251015', keep: 'all' },
          ],
        },
      },
    ],
    ['anthropic-messages', { service_tier: 'standard_only', speed: 'standard', inference_geo: 'global' }],
    ['gemini', { tools: [{ functionDeclarations: [] }], system_instruction: {}, serviceTier: 'STANDARD' }],
    ['gemini', { generationConfig: { responseModalities: ['TEXT'], maxOutputTokens: 5, temperature: 1 } }],
  ])('findPaidExtra finds no extras in a %s request: %j', (protocol, more) => {
    expect(find(protocol, more)).toBeNull();
  });
});

type Holder = (tools: readonly object[]) => object;

const responsesItems = ['additional_tools', 'tool_search_output', 'tool_search_call', 'item_of_next_year'];
const items = responsesItems.map((type): [string, Holder] => [
  `input[0].tools`,
  (tools) => ({ input: [{ type, tools }] }),
]);

const holders: Readonly<Record<Protocol, readonly (readonly [path: string, write: Holder])[]>> = {
  'openai-chat': [
    ['tools', (tools) => ({ tools })],
    ['functions', (functions) => ({ functions })],
    ['messages[0].tools', (tools) => ({ messages: [{ role: 'developer', content: 'a', tools }] })],
    ['messages[0].content[0].tools', (tools) => ({ messages: [{ role: 'user', content: [{ tools }] }] })],
    ['tool_choice.tools', (tools) => ({ tool_choice: { type: 'allowed_tools', mode: 'auto', tools } })],
    ['tools[0].tools', (tools) => ({ tools: [{ type: 'function', tools }] })],
  ],
  'openai-responses': [
    ['tools', (tools) => ({ tools })],
    ...items,
    ['input[0].content[0].tools', (tools) => ({ input: [{ role: 'user', content: [{ tools }] }] })],
    [
      'input[0].output[0].tools',
      (tools) => ({ input: [{ type: 'function_call_output', output: [{ tools }] }] }),
    ],
    ['tools[0].tools', (tools) => ({ tools: [{ type: 'namespace', name: 'a', tools }] })],
    [
      'tools[0].tools[0].tools',
      (tools) => ({ tools: [{ type: 'namespace', tools: [{ type: 'namespace', tools }] }] }),
    ],
    [
      'input[1].tools[0].tools',
      (tools) => ({
        input: [
          { role: 'user', content: 'a' },
          { type: 'additional_tools', tools: [{ type: 'namespace', tools }] },
        ],
      }),
    ],
    ['tool_choice.tools', (tools) => ({ tool_choice: { type: 'allowed_tools', tools } })],
  ],
  'anthropic-messages': [
    ['tools', (tools) => ({ tools })],
    ['messages[0].tools', (tools) => ({ messages: [{ role: 'user', content: 'a', tools }] })],
    ['system[0].tools', (tools) => ({ system: [{ type: 'text', text: 'a', tools }] })],
  ],
  gemini: [
    ['tools', (tools) => ({ tools })],
    ['contents[0].tools', (tools) => ({ contents: [{ parts: [{ text: 'a' }], tools }] })],
    ['contents.parts[0].tools', (tools) => ({ contents: { parts: [{ text: 'a', tools }] } })],
    ['systemInstruction.tools', (tools) => ({ systemInstruction: { parts: [{ text: 'a' }], tools } })],
    ['toolConfig.tools', (tools) => ({ toolConfig: { tools } })],
  ],
  embeddings: [],
};

const hosted: Readonly<Record<Protocol, readonly object[]>> = {
  'openai-chat': ['web_search', 'openrouter:web_search', 'mcp', 'next_year', ''].map((type) => ({ type })),
  'openai-responses': [
    'web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11 file_search mcp shell',
    'code_interpreter image_generation computer computer_use_preview x_search collections_search next_year',
  ]
    .join(' ')
    .split(' ')
    .map((type) => ({ type })),
  'anthropic-messages': [
    'web_search_20250305 web_search_20260209 web_fetch_20250910 code_execution_20250522 code_execution_20250825',
    'advisor_20260301 mcp_toolset next_year_20270101 bash_code_execution_20250825 text_editor_code_execution_20250825',
  ]
    .join(' ')
    .split(' ')
    .map((type) => ({ type, name: 'a' })),
  gemini: [
    'googleSearch google_search googleSearchRetrieval codeExecution code_execution urlContext url_context googleMaps',
    'fileSearch file_search enterpriseWebSearch enterprise_web_search computerUse retrieval mcpServers nextYear',
  ]
    .join(' ')
    .split(' ')
    .map((name) => ({ [name]: {} })),
  embeddings: [],
};

const own: Readonly<Record<Protocol, object>> = {
  'openai-chat': {
    type: 'function',
    function: { name: 'f', parameters: { properties: { tools: {}, model: {} } } },
  },
  'openai-responses': {
    type: 'function',
    name: 'f',
    parameters: { properties: { model: { enum: ['m'] } } },
    output_schema: { properties: { model: { description: 'The model.' } } },
  },
  'anthropic-messages': { name: 'f', input_schema: { properties: { model: { const: 'm' } } } },
  gemini: {
    functionDeclarations: [{ name: 'f', parameters: { properties: { model: { type: 'STRING' } } } }],
  },
  embeddings: {},
};

describe.each(Object.entries(holders).filter(([, places]) => places.length > 0))(
  'findPaidExtra with hosted tools in %s',
  (name, places) => {
    // safe because the record's keys are the protocols
    const protocol = name as Protocol;

    it.each(places)('findPaidExtra finds hosted tools in %s after tools of the caller', (path, write) => {
      expect(find(protocol, write([own[protocol]]))).toBeNull();
      for (const tool of hosted[protocol])
        expect(find(protocol, write([own[protocol], tool]))).toBe(`${path}[1]`);
    });
  },
);

it('findPaidExtra finds a hosted tool in the definition of a tool that a system message adds', () => {
  const added = (definition: object) => ({
    messages: [
      {
        role: 'system',
        content: [
          { type: 'tool_removal', tool: { type: 'tool_reference', name: 'g' } },
          { type: 'tool_addition', tool: { type: 'tool_reference', name: 'h' } },
          { type: 'tool_addition', tool: { type: 'tool_definition', definition } },
        ],
      },
    ],
  });
  expect(find('anthropic-messages', added({ name: 'f', input_schema: {} }))).toBeNull();
  const path = 'messages[0].content[2].tool.definition';
  expect(find('anthropic-messages', added({ type: 'web_search_20250305' }))).toBe(path);
});

describe('findPaidExtra with arguments and results of tool calls', () => {
  const tools = [{ type: 'web_search' }];

  it.each<[Protocol, object]>([
    [
      'openai-chat',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { tools } } }] }] },
    ],
    ['openai-responses', { input: [{ type: 'custom_tool_call', name: 'f', input: { tools } }] }],
    [
      'anthropic-messages',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', input: { tools } }] }] },
    ],
    ['gemini', { contents: [{ parts: [{ functionCall: { name: 'f', args: { tools, model: 'm' } } }] }] }],
    ['gemini', { contents: [{ parts: [{ functionResponse: { name: 'f', response: { tools } } }] }] }],
  ])('findPaidExtra does not treat call arguments and results as tools in %s: %j', (protocol, more) => {
    expect(find(protocol, more)).toBeNull();
  });
});
