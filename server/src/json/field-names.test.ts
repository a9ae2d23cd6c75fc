import { describe, expect, it } from 'vitest';
import { finish } from '#platform/steps.ts';
import { readEmbeddings } from '#protocols/openai-chat/embeddings-caller.ts';
import { conversations } from '#protocols/testing/conversations.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';

type Id = keyof typeof conversations;

function parse(id: Id, text: string) {
  const protocol = callerProtocols.find((candidate) => candidate.id === id);
  if (!protocol) throw new Error(`no caller speaks ${id}`);
  return protocol.caller.parseRequest(Buffer.from(text), { model: 'm', isStream: false });
}

const problemOf = (id: Id, text: string) => {
  const parsed = parse(id, text);
  return parsed.ok ? null : { code: parsed.problem.code, param: parsed.problem.param };
};

function rename(id: Id, key: string, renamed: string): string {
  const text = JSON.stringify(conversations[id]);
  const parts = text.split(`"${key}":`);
  expect(parts.length, `occurrences of ${key} in the conversation`).toBeGreaterThan(1);
  return `${parts[0]}"${renamed}":${parts.slice(1).join(`"${key}":`)}`;
}

describe.each<[id: Id, keys: readonly string[]]>([
  [
    'openai-chat',
    [
      'model',
      'messages',
      'role',
      'content',
      'text',
      'image_url',
      'url',
      'tool_calls',
      'stop',
      'stream',
      'include_usage',
      'tools',
      'reasoning',
      'effort',
      'response_format',
    ],
  ],
  [
    'anthropic-messages',
    [
      'model',
      'max_tokens',
      'system',
      'messages',
      'content',
      'source',
      'data',
      'thinking',
      'budget_tokens',
      'tool_use_id',
      'tools',
      'input_schema',
      'stop_sequences',
    ],
  ],
  [
    'openai-responses',
    [
      'model',
      'input',
      'instructions',
      'role',
      'content',
      'image_url',
      'encrypted_content',
      'call_id',
      'tools',
      'reasoning',
      'effort',
    ],
  ],
  [
    'gemini',
    [
      'contents',
      'parts',
      'text',
      'inlineData',
      'functionCall',
      'systemInstruction',
      'generationConfig',
      'maxOutputTokens',
      'thinkingBudget',
      'functionDeclarations',
    ],
  ],
])('known fields of %s requests', (id, keys) => {
  it.each(keys)('a known field in a different case is rejected: %s', (key) => {
    for (const renamed of new Set([key.toUpperCase(), key[0]!.toUpperCase() + key.slice(1)]))
      expect(problemOf(id, rename(id, key, renamed))).toEqual({
        code: 'duplicate_field',
        param: expect.stringMatching(new RegExp(`(^|[.])${renamed}$`)),
      });
  });

  it('a conversation with correct field names is accepted', () => {
    expect(problemOf(id, JSON.stringify(conversations[id]))).toBeNull();
  });
});

it.each([
  [
    'next to the field itself',
    '{"model":"m","Model":"dear","messages":[{"role":"user","content":"a"}]}',
    'Model',
  ],
  ['on its own', '{"model":"m","MAX_TOKENS":9,"messages":[{"role":"user","content":"a"}]}', 'MAX_TOKENS'],
  [
    'with letters that only Unicode folds',
    '{"model":"m","max_to\u212aen\u017f":9,"messages":[{"role":"user","content":"a"}]}',
    'max_to\u212aen\u017f',
  ],
  [
    'in escapes',
    '{"model":"m","\\u004d\\u0061x_tokens":9,"messages":[{"role":"user","content":"a"}]}',
    'Max_tokens',
  ],
  [
    'in a message',
    '{"model":"m","messages":[{"role":"user","content":"a","Content":"b"}]}',
    'messages[0].Content',
  ],
  [
    'in a part that is forwarded without being read',
    '{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"File_Id":"x"}}]}]}',
    'messages[0].content[0].file.File_Id',
  ],
])('a miscased field name is rejected %s', (_, text, param) => {
  expect(problemOf('openai-chat', text)).toEqual({ code: 'duplicate_field', param });
});

it('Google field names in a different case are rejected in both spellings', () => {
  const body = (config: string) => `{"contents":[{"parts":[{"text":"a"}]}],${config}}`;
  expect(problemOf('gemini', body('"Generation_Config":{}'))?.param).toBe('Generation_Config');
  expect(problemOf('gemini', body('"generation_config":{"MAX_OUTPUT_TOKENS":9}'))?.param).toBe(
    'generation_config.MAX_OUTPUT_TOKENS',
  );
  expect(problemOf('gemini', body('"generationConfig":{"maxoutputtokens":9}'))?.param).toBe(
    'generationConfig.maxoutputtokens',
  );
});

it('miscased fields of embeddings requests are rejected', () => {
  const parsed = finish(readEmbeddings(Buffer.from('{"model":"m","input":"a","Input":"b"}')));
  expect(parsed).toMatchObject({ ok: false, problem: { code: 'duplicate_field', param: 'Input' } });
});

describe('duplicate nested fields', () => {
  it.each([
    ['openai-chat', '{"model":"m","messages":[{"role":"user","content":"a","content":"b"}]}', 'messages'],
    [
      'anthropic-messages',
      '{"model":"m","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024,"budget_tokens":90000},"messages":[{"role":"user","content":"a"}]}',
      'thinking',
    ],
    [
      'openai-responses',
      '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"a","te\\u0078t":"b"}]}]}',
      'input',
    ],
    [
      'gemini',
      '{"contents":[{"parts":[{"text":"a"}]}],"generationConfig":{"candidateCount":1,"candidateCount":8}}',
      'generationConfig',
    ],
  ] as const)(
    'duplicate nested fields are rejected by %s, naming the field that contains them',
    (id, text, param) => {
      expect(problemOf(id, text)).toEqual({ code: 'duplicate_field', param });
    },
  );
});

it('names chosen by the caller are not treated as miscased field names', () => {
  const parameters = { type: 'object', properties: { Model: {}, model: {}, MESSAGES: {}, Type: {} } };
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'a', Custom: 1, custom: 2 }],
    metadata: { Task_ID: 'JIRA-1', TASK_ID: 'x' },
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
    maxTokens: 5,
  };
  expect(problemOf('openai-chat', JSON.stringify(body))).toBeNull();
  const call = { functionCall: { name: 'f', args: { Name: 1, ARGS: 2 } } };
  expect(problemOf('gemini', JSON.stringify({ contents: [{ role: 'model', parts: [call] }] }))).toBeNull();
});
