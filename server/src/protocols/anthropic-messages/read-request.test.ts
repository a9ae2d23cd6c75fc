import { describe, expect, it } from 'vitest';
import { completionLimits } from '#json/body-limits.ts';
import { parseCountTokens, parseRequest } from './read-request.ts';
import { makeBody, parse, parsingProblem } from './testing/exchange.ts';

const problemOf = (body: string | Buffer) => {
  const parsed = parseRequest(Buffer.from(body));
  return parsed.ok ? null : parsed.problem;
};

describe('request validation', () => {
  it.each([
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'invalid_json'],
    ['is not JSON', '{"model":', 'invalid_json'],
    ['is a list', '[]', 'invalid_request'],
    [
      'is nested too deeply',
      `{"a":${'['.repeat(completionLimits.depth)}${']'.repeat(completionLimits.depth)}}`,
      'invalid_request',
    ],
    ['has a duplicate field', '{"model":"a","mode\\u006c":"b"}', 'duplicate_field'],
  ])('parseRequest rejects a body that %s', (_name, body, code) => {
    expect(problemOf(body)?.code).toBe(code);
  });

  it.each([
    ['model', { model: '' }],
    ['model', { model: 7 }],
    ['messages', { messages: [] }],
    ['messages', { messages: 'Hello' }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: [{ text: 'no type' }] }] }],
    ['max_tokens', { max_tokens: undefined }],
    ['max_tokens', { max_tokens: null }],
    ['max_tokens', { max_tokens: -1 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['max_tokens', { max_tokens: '100' }],
    ['system', { system: [{ type: 'image' }] }],
    ['temperature', { temperature: 1.1 }],
    ['temperature', { temperature: -0.1 }],
    ['top_p', { top_p: 2 }],
    ['top_k', { top_k: 0.5 }],
    ['stop_sequences', { stop_sequences: 'END' }],
    ['stream', { stream: 'yes' }],
    ['tools', { tools: {} }],
    ['tool_choice.type', { tool_choice: { type: 'required' } }],
    [
      'tool_choice.disable_parallel_tool_use',
      { tool_choice: { type: 'auto', disable_parallel_tool_use: 1 } },
    ],
    ['thinking.type', { thinking: {} }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 100 } }],
    ['output_config.effort', { output_config: { effort: 3 } }],
    ['output_config.format.type', { output_config: { format: { type: 'json' } } }],
    ['output_config.format.schema', { output_config: { format: { type: 'json_schema' } } }],
    ['metadata.user_id', { metadata: { user_id: 7 } }],
    ['metadata.task_id', { metadata: { task_id: 'x' } }],
    ['task_id', { task_id: 0 }],
    ['format', { format: 'openai' }],
    ['format', { format: 'minimal', stream: true }],
  ])('parseRequest returns the param %s for the invalid fields %j', (param, fields) => {
    const problem = parsingProblem(fields);
    expect(problem).toMatchObject({ code: 'invalid_request', param });
    expect(problem?.message).toContain(param);
  });

  it.each([
    { system: 'Be brief.', stream: true, temperature: 0, top_p: 1, top_k: 5, stop_sequences: ['a'] },
    { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
    { max_tokens: 0 },
    { messages: [{ role: 'system', content: 'x' }] },
    { messages: [{ role: 'user', content: [] }] },
    { messages: [{ role: 'user', content: [{ type: 'not_invented_yet', x: 1 }] }] },
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }, { type: 'mcp_toolset' }] },
    { tool_choice: { type: 'tool', name: 'x' } },
    { thinking: { type: 'not_invented_yet' } },
    { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'colossal' } },
    { metadata: { user_id: 'u' }, not_invented_yet: { a: 1 } },
    { temperature: null, tools: null, stream: null, metadata: null },
  ])('parseRequest accepts known and unknown Anthropic fields: %j', (fields) => {
    expect(parsingProblem(fields)).toBeNull();
  });
});

describe('fields of the parsed request', () => {
  it('parseRequest reads model, stream, task, and format', () => {
    expect(parse({ stream: true, task_id: '12' })).toMatchObject({
      protocol: 'anthropic-messages',
      model: 'claude-opus-4-8',
      isStream: true,
      isMinimal: false,
      taskId: 12,
    });
    expect(parse({ metadata: { task_id: 4 }, format: 'minimal' })).toMatchObject({
      isStream: false,
      isMinimal: true,
      taskId: 4,
    });
  });

  it('parseRequest always sets wantsUsage, because Anthropic streams include usage by default', () => {
    expect(parse({ stream: true }).wantsUsage).toBe(true);
  });

  const text = (value: string) => ({ type: 'text', text: value });
  it.each([
    ['a string', [{ role: 'user', content: 'Hello' }], 'Hello'],
    ['text blocks', [{ role: 'user', content: [text('a'), { type: 'image' }, text('b')] }], 'a\nb'],
    [
      'the last of two user turns',
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'yes' },
        { role: 'user', content: 'second' },
      ],
      'second',
    ],
    [
      'the turn before one that has only tool results',
      [
        { role: 'user', content: 'the task' },
        { role: 'assistant', content: [{ type: 'tool_use' }] },
        { role: 'user', content: [{ type: 'tool_result', content: 'a file' }] },
      ],
      'the task',
    ],
    [
      'text next to tool results',
      [{ role: 'user', content: [{ type: 'tool_result', content: 'a file' }, text('and now this')] }],
      'and now this',
    ],
    ['a turn without text as null', [{ role: 'user', content: [{ type: 'image' }] }], null],
    ['a system turn as null', [{ role: 'system', content: 'rules' }], null],
  ])('parseRequest reads the prompt from %s', (_name, messages, prompt) => {
    expect(parse({ messages }).prompt).toBe(prompt);
  });
});

describe('pass-through', () => {
  const passed = (text: string, model = 'a') => {
    const parsed = parseRequest(Buffer.from(text));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    return parsed.request.encodeFor(model).toString();
  };
  const messages = '"messages":[{"role":"user","content":"x"}],"max_tokens":5';

  it('encodeFor returns the original buffer if nothing changes', () => {
    const bytes = Buffer.from(`{ "model" : "a", ${messages}, "temperature":1.0 }`);
    const parsed = parseRequest(bytes);
    expect(parsed.ok && parsed.request.encodeFor('a')).toBe(bytes);
  });

  it('encodeFor changes the model and no other byte', () => {
    expect(passed(`{"model":"a",${messages},"temperature":1.0,"top_k":1e0}`, 'b')).toBe(
      `{"model":"b",${messages},"temperature":1.0,"top_k":1e0}`,
    );
  });

  it.each([
    [`{"task_id":7,"model":"a",${messages}}`, `{"model":"a",${messages}}`],
    [`{"model":"a","format":"anthropic",${messages}}`, `{"model":"a",${messages}}`],
    [`{"model":"a","metadata":{"task_id":7},${messages}}`, `{"model":"a",${messages}}`],
    [
      `{"model":"a","metadata":{"task_id":7,"user_id":"u"},${messages}}`,
      `{"model":"a","metadata":{"user_id":"u"},${messages}}`,
    ],
  ])("encodeFor removes Sluice's own fields from %s", (text, expected) => {
    expect(passed(text)).toBe(expected);
  });

  it('encodeFor keeps cache control, server tools, and unknown fields', () => {
    const text = JSON.stringify(
      makeBody({
        model: 'a',
        system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }],
        context_management: { edits: [] },
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
          },
        ],
      }),
    );
    expect(passed(text)).toBe(text);
  });
});

describe('thinking of another provider in the history', () => {
  const thinking = (signature?: string) => ({ type: 'thinking', thinking: 'hm', signature });
  const history = (...content: object[]) => ({
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content },
      { role: 'user', content: 'Go on' },
    ],
  });
  const passedMessages = (fields: object) =>
    JSON.parse(parse(fields).encodeFor('claude-opus-4-8').toString()).messages;
  const text = { type: 'text', text: 'Hi' };

  it.each([
    ['signed by another provider', thinking('gemini:reasoning::c2ln')],
    ['with an empty signature', thinking('')],
    ['without a signature', thinking()],
    [
      'encrypted by another provider',
      { type: 'redacted_thinking', data: 'openai-responses:reasoning:cnNfMQ:abc' },
    ],
    ['with the signature of a call', thinking('gemini:call::c2ln')],
  ])('encodeFor removes foreign thinking before a request reaches Anthropic: %s', (_name, block) => {
    expect(passedMessages(history(block, text))).toEqual(history(text).messages);
  });

  it("encodeFor returns the original buffer if all thinking is Anthropic's own", () => {
    const body = Buffer.from(JSON.stringify(makeBody(history(thinking('c2lnbmVk'), text))));
    const parsed = parseRequest(body);
    expect(parsed.ok && parsed.request.encodeFor('claude-opus-4-8')).toBe(body);
  });

  it('encodeFor keeps unsigned thinking for models that do not sign but removes foreign signatures', () => {
    const { messages } = history(thinking(''), thinking('gemini:reasoning::c2ln'), text);
    const passed = JSON.parse(parse({ model: 'kimi-k2', messages }).encodeFor('kimi-k2').toString());
    expect(passed.messages).toEqual(history(thinking(''), text).messages);
  });

  it('encodeFor removes a turn that contains only foreign thinking', () => {
    expect(passedMessages(history(thinking(''))).map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'user',
    ]);
  });
});

describe('tool results', () => {
  const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ten' }] };
  const asked = { role: 'user', content: 'How long?' };
  const called = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'measure', input: {} }] };
  const reminder = { role: 'system', content: 'Be brief.' };

  it.each([
    ['tool results last', true, [asked, called, results]],
    ['tool results before a system turn', true, [asked, called, results, reminder]],
    ['a question before a system turn', false, [asked, reminder]],
    ['tool results before a question', false, [called, results, asked, reminder]],
  ])('parseRequest of a conversation with %s sets isFollowUp to %s', (_name, isFollowUp, messages) => {
    const parsed = parseRequest(Buffer.from(JSON.stringify(makeBody({ messages }))));
    expect(parsed.ok && parsed.request).toMatchObject({ isFollowUp, prompt: 'How long?' });
  });
});

it('parseRequest does not judge results of calls that Anthropic keeps in a thread', () => {
  const messages = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ten' }] }];
  const thread = { type: 'continue', previous_message_id: 'msg_1' };
  expect(parse({ messages })).toMatchObject({ judged: expect.stringContaining('ten'), isFollowUp: false });
  expect(parse({ messages, thread })).toMatchObject({ judged: null, isFollowUp: true });
});

describe('count_tokens', () => {
  const { max_tokens: _cap, ...body } = { ...makeBody(), max_tokens: 0 };

  it('parseCountTokens accepts a body without max_tokens', () => {
    const parsed = parseCountTokens(Buffer.from(JSON.stringify(body)));
    expect(parsed.ok && parsed.request).toMatchObject({ model: 'claude-opus-4-8', isStream: false });
    expect(parsed.ok && parsed.request.toCanonical()).toMatchObject({ ok: true });
  });

  it('parseCountTokens rejects an empty list of messages', () => {
    const parsed = parseCountTokens(Buffer.from(JSON.stringify({ ...body, messages: [] })));
    expect(!parsed.ok && parsed.problem.param).toBe('messages');
  });

  it("parseCountTokens passes the body through with the model changed and Sluice's own fields removed", () => {
    const parsed = parseCountTokens(Buffer.from(JSON.stringify({ ...body, task_id: 7 })));
    expect(parsed.ok && JSON.parse(parsed.request.encodeFor('b').toString())).toEqual({
      ...body,
      model: 'b',
    });
  });
});

describe('output token limit', () => {
  it("encodeFor lowers max_tokens to the gateway's limit", () => {
    const body = makeBody({ max_tokens: 900 });
    const parsed = parseRequest(Buffer.from(JSON.stringify(body)));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const { request } = parsed;
    expect(request.output.tokensMax).toBe(900);
    const cap = { tokens: 5 };
    expect(JSON.parse(request.encodeFor(request.model, undefined, cap).toString())).toEqual({
      ...body,
      max_tokens: 5,
    });
  });
});
