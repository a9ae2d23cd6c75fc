import { describe, expect, it } from 'vitest';
import { findPaidExtra } from './priced-by-tokens.ts';

type Protocol = Parameters<typeof findPaidExtra>[1];

const messages = [{ role: 'user', content: 'Hi' }];
const bodies: Record<Protocol, object> = {
  'openai-chat': { model: 'm', messages },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', max_tokens: 5, messages },
  gemini: { contents: [{ parts: [{ text: 'Hi' }] }] },
};
const find = (protocol: Protocol, more: object) =>
  findPaidExtra({ value: { ...bodies[protocol], ...more } }, protocol);

describe('what is not paid by its tokens', () => {
  it.each<[Protocol, object, string]>([
    ['openai-chat', { service_tier: 'priority' }, 'service_tier'],
    ['openai-chat', { service_tier: 'flex' }, 'service_tier'],
    ['openai-chat', { web_search_options: {} }, 'web_search_options'],
    ['openai-chat', { modalities: ['text', 'audio'], audio: { voice: 'a' } }, 'modalities[1]'],
    ['openai-chat', { tools: [{ type: 'builtin_function' }] }, 'tools[0].type'],
    ['openai-chat', { plugins: [{ id: 'web' }] }, 'plugins'],
    ['openai-chat', { models: ['dear'] }, 'models'],
    ['openai-chat', { search_parameters: { mode: 'on' } }, 'search_parameters'],
    ['openai-chat', { whatever_comes_next: true }, 'whatever_comes_next'],
    ['openai-responses', { service_tier: 'priority' }, 'service_tier'],
    ...['web_search', 'web_search_preview', 'code_interpreter', 'file_search', 'image_generation', 'computer']
      .concat('computer_use_preview', 'shell', 'x_search')
      .map((type): [Protocol, object, string] => [
        'openai-responses',
        { tools: [{ type: 'function', name: 'f' }, { type }] },
        'tools[1].type',
      ]),
    [
      'openai-responses',
      { tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] },
      'tools[0].tools[0].type',
    ],
    ['anthropic-messages', { service_tier: 'priority' }, 'service_tier'],
    ['anthropic-messages', { speed: 'fast' }, 'speed'],
    ['anthropic-messages', { inference_geo: 'us' }, 'inference_geo'],
    ['anthropic-messages', { fallbacks: [{ model: 'dear' }] }, 'fallbacks'],
    ...['web_search_20250305', 'web_fetch_20250910', 'code_execution_20250825', 'advisor_20260301'].map(
      (type): [Protocol, object, string] => [
        'anthropic-messages',
        { tools: [{ type, name: 't' }] },
        'tools[0].type',
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
      .map((name): [Protocol, object, string] => ['gemini', { tools: [{ [name]: {} }] }, `tools[0].${name}`]),
    ['gemini', { tools: { googleSearch: {} } }, 'tools.googleSearch'],
    ['gemini', { serviceTier: 'PRIORITY' }, 'serviceTier'],
    ['gemini', { service_tier: 'flex' }, 'service_tier'],
    [
      'gemini',
      { generationConfig: { responseModalities: ['IMAGE'] } },
      'generationConfig.responseModalities[0]',
    ],
    ['gemini', { generation_config: { speech_config: {} } }, 'generation_config.speech_config'],
  ])('is found in %s: %j', (protocol, more, path) => {
    expect(find(protocol, more)).toBe(path);
  });
});

describe('what is paid by its tokens', () => {
  it.each<[Protocol, object]>([
    [
      'openai-chat',
      { tools: [{ type: 'function' }, { type: 'custom' }], service_tier: 'auto', n: 2, stop: ['a'] },
    ],
    ['openai-chat', { service_tier: null, web_search_options: null, modalities: ['text'] }],
    [
      'openai-responses',
      { tools: [{ type: 'function' }, { type: 'mcp' }], service_tier: 'default', store: false },
    ],
    ['anthropic-messages', { tools: [{ name: 'f' }, { type: 'custom' }, { type: 'bash_20250124' }] }],
    ['anthropic-messages', { tools: [{ type: 'text_editor_20250728' }, { type: 'computer_20250124' }] }],
    [
      'anthropic-messages',
      { tools: [{ type: 'memory_20250818' }, { type: 'tool_search_tool_regex_20251119' }] },
    ],
    ['anthropic-messages', { service_tier: 'standard_only', speed: 'standard', inference_geo: 'global' }],
    ['gemini', { tools: [{ functionDeclarations: [] }], system_instruction: {}, serviceTier: 'STANDARD' }],
    ['gemini', { generationConfig: { responseModalities: ['TEXT'], maxOutputTokens: 5, temperature: 1 } }],
  ])('passes in %s: %j', (protocol, more) => {
    expect(find(protocol, more)).toBeNull();
  });
});
