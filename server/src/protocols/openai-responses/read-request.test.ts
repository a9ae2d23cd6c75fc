import { describe, expect, it } from 'vitest';
import { openaiResponses } from './index.ts';
import { parse, parsingProblem } from './testing/exchange.ts';

const bytesOf = (text: string) => {
  const parsed = openaiResponses.caller.parseRequest(Buffer.from(text));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
};

describe('readRequest', () => {
  it('readRequest reads model, stream, task and format', () => {
    const request = parse({ model: 'gpt-9', stream: true, task_id: '12' });
    expect(request).toMatchObject({
      protocol: 'openai-responses',
      model: 'gpt-9',
      isStream: true,
      isMinimal: false,
      wantsUsage: true,
      taskId: 12,
    });
    expect(parse({ format: 'minimal' })).toMatchObject({ isStream: false, isMinimal: true, taskId: null });
    expect(parse({ metadata: { task_id: 3 } }).taskId).toBe(3);
  });

  it.each<[name: string, input: unknown, prompt: string | null]>([
    ['a text', 'Hello', 'Hello'],
    ['nothing', undefined, null],
    ['no items', [], null],
    [
      'the last human message',
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'answer' },
        { role: 'user', content: 'second' },
        { role: 'assistant', content: 'prefix' },
      ],
      'second',
    ],
    [
      'the texts of its parts',
      [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look:' },
            { type: 'input_image', image_url: 'https://a.test/b' },
            { type: 'input_text', text: 'What is it?' },
          ],
        },
      ],
      'Look:\nWhat is it?',
    ],
    [
      'the text before a message with only an image',
      [
        { role: 'user', content: 'Look' },
        { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.test/b' }] },
      ],
      'Look',
    ],
    [
      'the text before tool results',
      [
        { role: 'user', content: 'Do it' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'done' },
      ],
      'Do it',
    ],
    ['an input without a human message', [{ role: 'developer', content: 'Be brief.' }], null],
  ])('readRequest reads the prompt from %s', (_, input, prompt) => {
    expect(parse({ input }).prompt).toBe(prompt);
  });
});

describe('readRequest rejections', () => {
  it.each<[fields: object, param: string]>([
    [{ model: '' }, 'model'],
    [{ model: 7 }, 'model'],
    [{ input: 7 }, 'input'],
    [{ input: ['Hello'] }, 'input'],
    [{ instructions: ['Be brief'] }, 'instructions'],
    [{ stream: 'yes' }, 'stream'],
    [{ store: 1 }, 'store'],
    [{ background: 'no' }, 'background'],
    [{ background: true }, 'background'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ temperature: 2.1 }, 'temperature'],
    [{ top_p: -1 }, 'top_p'],
    [{ top_logprobs: 21 }, 'top_logprobs'],
    [{ tools: [{ name: 'f' }] }, 'tools[0].type'],
    [{ tool_choice: 7 }, 'tool_choice'],
    [{ parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    [{ text: { format: 'json' } }, 'text.format'],
    [{ reasoning: { effort: 3 } }, 'reasoning.effort'],
    [{ include: 'all' }, 'include'],
    [{ previous_response_id: 7 }, 'previous_response_id'],
    [{ task_id: 'x' }, 'task_id'],
    [{ format: 'maximal' }, 'format'],
    [{ format: 'minimal', stream: true }, 'format'],
  ])('readRequest rejects %j', (fields, param) => {
    expect(parsingProblem(fields)).toMatchObject({ code: 'invalid_request', param });
  });

  it('readRequest rejects a duplicate field', () => {
    const parsed = openaiResponses.caller.parseRequest(
      Buffer.from('{"model":"a","input":"b","m\\u006fdel":"c"}'),
    );
    expect(parsed).toMatchObject({ ok: false, problem: { code: 'duplicate_field', param: 'model' } });
  });
});

describe('encodeFor a provider of the same protocol', () => {
  const codex = {
    model: 'gpt-9-codex',
    instructions: 'You are a coding agent.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] },
      { type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAA' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      { type: 'local_shell_call', call_id: 'c2', action: { type: 'exec', command: ['ls'] } },
      { type: 'compaction', encrypted_content: 'gBBB' },
    ],
    tools: [
      { type: 'function', name: 'shell', strict: false, parameters: { type: 'object', properties: {} } },
      { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
      { type: 'web_search', external_web_access: false },
      { type: 'namespace', name: 'mcp', tools: [] },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'medium', summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    service_tier: 'priority',
    prompt_cache_key: 'session',
    text: { verbosity: 'low' },
    client_metadata: { originator: 'codex' },
  };

  it('encodeFor keeps the bytes of a Codex request', () => {
    const bytes = Buffer.from(JSON.stringify(codex, null, 2));
    const parsed = openaiResponses.caller.parseRequest(bytes);
    if (!parsed.ok) expect.unreachable(parsed.problem.message);
    expect(parsed.request.encodeFor('gpt-9-codex')).toBe(bytes);
  });

  it.each([
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { conversation: { id: 'conv_1' } },
    { prompt: { id: 'pmpt_1' }, input: undefined },
    {
      truncation: 'auto',
      metadata: { a: 'b' },
      max_tool_calls: 3,
      context_management: [{ type: 'compaction' }],
    },
  ])('R3: encodeFor keeps %j, which only the provider can interpret', (fields) => {
    const text = JSON.stringify({ model: 'm', input: 'Hello', ...fields });
    expect(bytesOf(text).encodeFor('m').toString()).toBe(text);
  });

  it('encodeFor replaces the name of the model and keeps the bytes of other values', () => {
    const text = '{ "model" : "alias", "input": "Hi \\u00e9", "n": 1.50, "x": {"model": "alias"} }';
    expect(bytesOf(text).encodeFor('gpt-9').toString()).toBe(
      '{"model":"gpt-9","input": "Hi \\u00e9","n": 1.50,"x": {"model": "alias"}}',
    );
  });

  it("encodeFor removes the gateway's own fields", () => {
    const text = '{"task_id":1,"model":"m","format":"openai","input":"Hi","metadata":{"task_id":1,"a":"b"}}';
    expect(bytesOf(text).encodeFor('m').toString()).toBe('{"model":"m","input":"Hi","metadata":{"a":"b"}}');
  });

  it('M7: encodeFor removes reasoning of other makers, which the provider could not decrypt', () => {
    const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
    const foreign = {
      type: 'reasoning',
      summary: [],
      encrypted_content: 'anthropic-messages:reasoning::Erc=',
    };
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"n":1}' };
    const proof = { type: 'reasoning', summary: [], encrypted_content: 'gemini:call::Cg==' };
    const question = { role: 'user', content: 'And now?' };
    const request = parse({ input: [own, foreign, call, proof, question] });
    expect(JSON.parse(request.encodeFor('gpt-9').toString())).toEqual({
      model: 'gpt-9',
      input: [own, call, question],
    });
  });
});

describe('repeatedFields of a request', () => {
  it('repeatedFields contain the fields that OpenAI repeats', () => {
    const fields = {
      instructions: 'Be brief.',
      temperature: 0.5,
      tools: [{ type: 'custom', name: 'patch' }],
      tool_choice: 'auto',
      parallel_tool_calls: false,
      reasoning: { effort: 'low' },
      text: { verbosity: 'low' },
      max_output_tokens: 100,
      user: 'u1',
    };
    expect(parse({ ...fields, prompt_cache_key: 'p', store: true }).repeatedFields).toEqual({
      ...fields,
      metadata: {},
    });
  });

  it("repeatedFields do not contain the gateway's own fields", () => {
    expect(parse({ task_id: 1, metadata: { task_id: 1, a: 'b' } }).repeatedFields).toEqual({
      metadata: { a: 'b' },
    });
  });
});
