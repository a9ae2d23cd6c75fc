import { describe, expect, it } from 'vitest';
import { decode, decodingProblem } from './testing/exchange.ts';

const turnsOf = (input: unknown) => decode({ input }).messages;
const lostOf = (...input: object[]) =>
  decode({ input: [{ role: 'user', content: 'q' }, ...input] }).extensions;
const problemOf = (...input: object[]) => decodingProblem({ input });
const text = (words: string) => ({ type: 'text', text: words });
const png = 'iVBORw0KGgoAAAANSUhEUg==';

const call = (id: string, json = '{}', name = 'read') => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: json,
});
const result = (id: string, output: unknown = 'done') => ({
  type: 'function_call_output',
  call_id: id,
  output,
});
const calls = (id: string, json = '{}', name = 'read') => ({ type: 'tool-call', id, name, arguments: json });
const results = (callId: string, ...parts: object[]) => ({
  type: 'tool-result',
  callId,
  name: 'read',
  parts,
  isError: false,
});

describe('R1: input', () => {
  it('decodeInput accepts a text', () => {
    expect(turnsOf('Hello')).toEqual([{ role: 'user', parts: [text('Hello')] }]);
  });

  it.each([{ type: 'message' }, {}])('decodeInput accepts messages with or without a type (%j)', (named) => {
    expect(
      turnsOf([
        { ...named, role: 'developer', content: 'Be brief.' },
        { ...named, role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { ...named, role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] },
        { ...named, role: 'system', content: [{ type: 'input_text', text: 'Be kind.' }] },
        { ...named, role: 'user', content: 'And?' },
      ]),
    ).toEqual([
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('Hi')] },
      { role: 'assistant', parts: [text('Hello')] },
      { role: 'system', parts: [text('Be kind.')] },
      { role: 'user', parts: [text('And?')] },
    ]);
  });

  it.each([[''], [[]]])('decodeInput leaves out empty messages (%j)', (content) => {
    expect(
      turnsOf([
        { role: 'user', content: 'q' },
        { role: 'user', content },
        { role: 'assistant', content },
        { role: 'system', content },
      ]),
    ).toHaveLength(1);
  });

  it("decodeInput does not warn about fields of OpenAI's own responses", () => {
    expect(
      lostOf({
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        phase: 'final_answer',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
      }),
    ).toEqual([]);
  });

  it('decodeInput lists unknown fields of items and parts as extensions', () => {
    expect(
      lostOf(
        { ...call('c1'), caller: { type: 'direct' } },
        { role: 'user', content: [{ type: 'input_text', text: 'Hi', prompt_cache_breakpoint: {} }] },
      ),
    ).toEqual(['input.caller', 'input.content.prompt_cache_breakpoint']);
  });
});

describe('R2: consecutive assistant items', () => {
  it('decodeInput combines consecutive assistant items into one turn in their order', () => {
    expect(
      turnsOf([
        { role: 'user', content: 'q' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
        { role: 'assistant', content: 'Let me look.' },
        call('c1', '{"a":1}'),
        call('c2'),
      ])[1],
    ).toEqual({
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: '',
          isRedacted: true,
          signature: { protocol: 'openai-responses', value: 'gAAA', id: 'rs_1' },
        },
        text('Let me look.'),
        calls('c1', '{"a":1}'),
        calls('c2'),
      ],
    });
  });

  it('decodeInput accepts a refusal of the assistant', () => {
    const content = [
      { type: 'output_text', text: 'Well.' },
      { type: 'refusal', refusal: 'I cannot.' },
    ];
    expect(turnsOf([{ role: 'assistant', content }])).toEqual([
      { role: 'assistant', parts: [text('Well.'), { type: 'refusal', text: 'I cannot.' }] },
    ]);
  });

  it('decodeInput rejects an image of the assistant', () => {
    const content = [{ type: 'input_image', image_url: 'https://a.test/b.png' }];
    expect(problemOf({ role: 'assistant', content })).toMatchObject({ param: 'input[0].content[0].type' });
  });
});

describe('T7: tool results', () => {
  it('decodeInput combines consecutive results and the following user message into one turn', () => {
    expect(
      turnsOf([call('c1'), call('c2'), result('c1'), result('c2', 'too'), { role: 'user', content: 'And?' }]),
    ).toEqual([
      { role: 'assistant', parts: [calls('c1'), calls('c2')] },
      { role: 'user', parts: [results('c1', text('done')), results('c2', text('too')), text('And?')] },
    ]);
  });

  it('decodeInput keeps results between calls as separate turns', () => {
    expect(turnsOf([call('c1'), result('c1'), call('c2'), result('c2')]).map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('decodeInput keeps results separate from the message before and from other roles', () => {
    const turns = turnsOf([
      { role: 'user', content: 'q' },
      call('c1'),
      result('c1'),
      { role: 'developer', content: 'Hm' },
      { role: 'user', content: 'And?' },
    ]);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'system', 'user']);
  });

  it.each<[output: unknown, parts: object[]]>([
    ['', []],
    [null, []],
    [[], []],
    [[{ type: 'input_text', text: 'a' }], [text('a')]],
    [
      [
        { type: 'input_text', text: 'See:' },
        { type: 'input_image', image_url: `data:image/png;base64,${png}` },
        { type: 'input_file', file_url: 'https://a.test/b.pdf' },
      ],
      [
        text('See:'),
        { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png } },
        { type: 'document', source: { kind: 'url', url: 'https://a.test/b.pdf' } },
      ],
    ],
  ])('T8: decodeInput reads the output %j of a result', (output, parts) => {
    expect(turnsOf([call('c1'), result('c1', output)])[1]?.parts).toEqual([results('c1', ...parts)]);
  });

  it('decodeInput accepts results without a call', () => {
    expect(turnsOf([result('c9')])[0]?.parts).toEqual([
      { type: 'tool-result', callId: 'c9', parts: [text('done')], isError: false },
    ]);
  });

  it.each<[item: object, param: string]>([
    [{ type: 'function_call_output', output: 'a' }, 'input[0].call_id'],
    [result('c1', 7), 'input[0].output'],
    [
      result('c1', [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }]),
      'input[0].output',
    ],
    [result('c1', [{ type: 'other' }]), 'input[0].output[0].type'],
  ])('decodeInput rejects the result %j', (item, param) => {
    expect(problemOf(item)).toMatchObject({ code: 'invalid_request', param });
  });
});

describe('T5: arguments', () => {
  it.each([
    ['', '{}'],
    [null, '{}'],
    ['null', '{}'],
    ['{"a": 12345678901234567890}', '{"a": 12345678901234567890}'],
    ['not json', 'not json'],
  ])('decodeInput reads the arguments %j as %j', (json, expected) => {
    expect(turnsOf([{ ...call('c1'), arguments: json }])[0]?.parts).toEqual([calls('c1', expected)]);
  });

  it.each([
    [{ type: 'function_call', name: 'f' }, 'input[0].call_id'],
    [{ type: 'function_call', call_id: 'c' }, 'input[0].name'],
    [{ ...call('c'), arguments: { a: 1 } }, 'input[0].arguments'],
  ])('decodeInput rejects the function call %j', (item, param) => {
    expect(problemOf(item)).toMatchObject({ param });
  });
});

describe('calls of custom tools', () => {
  it('decodeInput reads calls of custom tools as calls with one text, and their results as results', () => {
    expect(
      turnsOf([
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'patch', input: 'a "b"\n' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        parts: [{ ...calls('c1', '{"input":"a \\"b\\"\\n"}', 'patch'), isFreeform: true }],
      },
      { role: 'user', parts: [{ ...results('c1', text('done')), name: 'patch' }] },
    ]);
  });

  it.each([undefined, null, ''])('decodeInput accepts calls of custom tools without input (%j)', (input) => {
    expect(turnsOf([{ type: 'custom_tool_call', call_id: 'c1', name: 'f', input }])[0]?.parts).toEqual([
      { ...calls('c1', '{"input":""}', 'f'), isFreeform: true },
    ]);
  });
});

describe('items of tools that the provider ran', () => {
  it.each([
    'web_search_call',
    'file_search_call',
    'code_interpreter_call',
    'image_generation_call',
    'mcp_call',
    'mcp_list_tools',
    'tool_search_call',
    'tool_search_output',
    'x_search_call',
    'program',
    'program_output',
  ])('decodeInput leaves out %s with a warning', (type) => {
    expect(lostOf({ type, id: 'x', call_id: null, status: 'completed' })).toEqual([`input.${type}`]);
  });

  it.each([
    'item_reference',
    'compaction',
    'compaction_summary',
    'context_compaction',
    'compaction_trigger',
    'constructor',
    'something_new',
  ])('decodeInput rejects %s, since the conversation is incomplete without it', (type) => {
    expect(problemOf({ role: 'user', content: 'q' }, { type, id: 'x' })).toMatchObject({
      code: 'invalid_request',
      param: 'input[1].type',
    });
  });
});

describe('calls of tools that only OpenAI supports', () => {
  it.each([
    ['local_shell', { action: { type: 'exec', command: ['ls'] } }, { output: 'a.txt' }, 'a.txt'],
    ['shell', { action: { commands: ['ls'] } }, { output: [{ stdout: 'a' }] }, '{"output":[{"stdout":"a"}]}'],
    [
      'apply_patch',
      { operation: { type: 'delete_file', path: 'a' } },
      { status: 'completed', output: 'done' },
      'done',
    ],
    ['something_new', { what: 1 }, { outcome: { a: 1 } }, '{"outcome":{"a":1}}'],
  ])('decodeInput reads %s as calls if the client ran them', (name, asked, answered, text) => {
    const turns = turnsOf([
      { type: `${name}_call`, id: 'x', call_id: 'c1', status: 'completed', ...asked },
      { type: `${name}_call_output`, id: 'y', call_id: 'c1', ...answered },
    ]);
    expect(turns).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c1', name, arguments: JSON.stringify(asked) }],
      },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'c1', name, parts: [{ type: 'text', text }], isError: false }],
      },
    ]);
  });

  it('decodeInput keeps screenshots in results', () => {
    const output = { type: 'computer_screenshot', image_url: `data:image/png;base64,${png}` };
    const [, shown] = turnsOf([
      { type: 'computer_call', call_id: 'c1', id: 'x', action: { type: 'screenshot' } },
      { type: 'computer_call_output', call_id: 'c1', output },
    ]);
    expect(shown?.parts).toMatchObject([{ type: 'tool-result', parts: [{ type: 'image' }] }]);
  });

  it("decodeInput reads a client's tool search as a call", () => {
    const found = [{ type: 'function', name: 'f' }];
    const turns = turnsOf([
      { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'f' } },
      { type: 'tool_search_output', call_id: 'c1', execution: 'client', status: 'completed', tools: found },
    ]);
    expect(turns).toMatchObject([
      { parts: [{ name: 'tool_search' }] },
      { parts: [{ callId: 'c1', parts: [{ text: expect.stringContaining('"name":"f"') }] }] },
    ]);
  });
});

describe('calls of tools in a namespace', () => {
  it('decodeInput keeps the namespace of calls and results', () => {
    const turns = turnsOf([
      { type: 'function_call', call_id: 'c1', namespace: 'agents', name: 'close', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'closed' },
      { type: 'custom_tool_call', call_id: 'c2', namespace: 'functions', name: 'exec', input: 'a' },
    ]);
    expect(turns).toMatchObject([
      { parts: [{ name: 'close', namespace: 'agents' }] },
      { parts: [{ name: 'close', namespace: 'agents' }] },
      { parts: [{ name: 'exec', namespace: 'functions', isFreeform: true }] },
    ]);
  });

  it('decodeInput ignores a namespace that equals the name of the tool', () => {
    const item = { type: 'function_call', call_id: 'c1', namespace: 'f', name: 'f', arguments: '{}' };
    expect(turnsOf([item])[0]?.parts[0]).not.toHaveProperty('namespace');
    const tools = [{ type: 'namespace', name: 'f', tools: [{ type: 'function', name: 'f' }] }];
    expect(decode({ input: [item], tools }).messages[0]?.parts[0]).toMatchObject({ namespace: 'f' });
  });
});

describe('messages between agents', () => {
  it('decodeInput reads messages between agents as user text, as far as it is readable', () => {
    const content = [
      { type: 'input_text', text: 'Look.' },
      { type: 'encrypted_content', encrypted_content: 'x' },
    ];
    const item = { type: 'agent_message', author: '/root', recipient: '/root/a', content };
    expect(turnsOf([item])).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'From /root to /root/a:\nLook.' }] },
    ]);
    expect(lostOf(item)).toEqual(['input.encrypted_content']);
  });
});

describe('I1: images and files', () => {
  const partOf = (part: object) => turnsOf([{ role: 'user', content: [part] }])[0]?.parts[0];

  it.each<[part: object, expected: object]>([
    [
      { type: 'input_image', image_url: 'https://a.test/b.png', detail: 'high' },
      { type: 'image', source: { kind: 'url', url: 'https://a.test/b.png' }, detail: 'high' },
    ],
    [
      { type: 'input_image', image_url: `data:image/jpg;base64,${png}` },
      { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png } },
    ],
    [
      { type: 'input_image', file_id: 'file_1', image_url: null, detail: 'original' },
      { type: 'image', source: { kind: 'file', fileId: 'file_1' }, detail: 'high' },
    ],
    [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' },
      {
        type: 'document',
        source: { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0x' },
        name: 'a.pdf',
      },
    ],
    [
      { type: 'input_file', file_url: 'https://a.test/b.pdf' },
      { type: 'document', source: { kind: 'url', url: 'https://a.test/b.pdf' } },
    ],
    [
      { type: 'input_file', file_id: 'file_1' },
      { type: 'document', source: { kind: 'file', fileId: 'file_1' } },
    ],
    [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'AAAA' } },
    ],
  ])('decodeInput reads %j', (part, expected) => {
    expect(partOf(part)).toEqual(expected);
  });

  it.each<[part: object, field: string]>([
    [{ type: 'input_image' }, 'image_url'],
    [{ type: 'input_image', image_url: 'picture.png' }, 'image_url'],
    [{ type: 'input_image', image_url: { url: 'https://a.test' } }, 'image_url'],
    [{ type: 'input_image', image_url: 'https://a.test', detail: 'much' }, 'detail'],
    [{ type: 'input_file' }, 'file_data'],
    [{ type: 'input_file', file_data: 'JVBERi0x' }, 'file_data'],
    [{ type: 'input_file', file_url: 'b.pdf' }, 'file_url'],
    [{ type: 'input_text' }, 'text'],
    [{ type: 'input_video' }, 'type'],
    [{ type: 'refusal', refusal: 'no' }, 'type'],
  ])('decodeInput rejects %j', (part, field) => {
    expect(problemOf({ role: 'user', content: [part] })).toMatchObject({
      code: 'invalid_request',
      param: `input[0].content[0].${field}`,
    });
  });

  it('decodeInput rejects images in a system message', () => {
    const content = [{ type: 'input_image', image_url: 'https://a.test/b' }];
    expect(problemOf({ role: 'developer', content })).toMatchObject({ param: 'input[0].content' });
  });

  it.each([{ role: 'tool' }, { role: null }, {}])(
    'decodeInput rejects a message with the role in %j',
    (fields) => {
      expect(problemOf({ content: 'Hi', ...fields })).toMatchObject({ param: 'input[0].role' });
    },
  );
});

describe('M7: reasoning of previous turns', () => {
  const reasoningOf = (fields: object) => turnsOf([{ type: 'reasoning', ...fields }])[0]?.parts[0];
  const own = { protocol: 'openai-responses', value: 'gAAA' };

  it.each<[name: string, fields: object, expected: object]>([
    [
      'with a summary',
      { id: 'rs_1', summary: [{ type: 'summary_text', text: 'I think' }], encrypted_content: 'gAAA' },
      { text: 'I think', isRedacted: false, signature: { ...own, id: 'rs_1' } },
    ],
    [
      'that is hidden, without an id',
      { summary: [], encrypted_content: 'gAAA' },
      { text: '', isRedacted: true, signature: own },
    ],
    [
      'in parts',
      {
        summary: [
          { type: 'summary_text', text: 'One.' },
          { type: 'summary_text', text: 'Two.' },
        ],
      },
      { text: 'One.\n\nTwo.', isRedacted: false },
    ],
    [
      'with its own text',
      {
        content: [{ type: 'reasoning_text', text: 'I think' }],
        summary: [{ type: 'summary_text', text: 'Thoughts' }],
        encrypted_content: null,
      },
      { text: 'I think', isRedacted: false },
    ],
    ['stored only at OpenAI', { id: 'rs_1', summary: [] }, { text: '', isRedacted: false }],
    [
      "of other makers in OpenAI's field",
      {
        id: 'rs_ours',
        summary: [{ type: 'summary_text', text: 'I think' }],
        encrypted_content: 'anthropic-messages:reasoning::Erc=',
      },
      { text: 'I think', isRedacted: false, signature: { protocol: 'anthropic-messages', value: 'Erc=' } },
    ],
    [
      'of other makers that is hidden',
      { summary: [], encrypted_content: 'anthropic-messages:redacted:cnNfMQ:Erc=' },
      {
        text: '',
        isRedacted: true,
        signature: { protocol: 'anthropic-messages', value: 'Erc=', id: 'rs_1' },
      },
    ],
  ])('decodeInput reads reasoning %s', (_, fields, expected) => {
    expect(reasoningOf(fields)).toEqual({ type: 'reasoning', ...expected });
  });

  it("decodeInput moves a call's signature to the call before it", () => {
    const proof = { type: 'reasoning', summary: [], encrypted_content: 'gemini:call::Cg==' };
    expect(turnsOf([call('c1'), proof, call('c2')])[0]?.parts).toEqual([
      { ...calls('c1'), signature: { protocol: 'gemini', value: 'Cg==' } },
      calls('c2'),
    ]);
  });

  it("decodeInput ignores a call's signature without a call", () => {
    const proof = { type: 'reasoning', summary: [], encrypted_content: 'gemini:call::Cg==' };
    expect(turnsOf([{ role: 'user', content: 'q' }, proof])).toHaveLength(1);
    expect(turnsOf([{ role: 'assistant', content: 'a' }, proof])[0]?.parts).toEqual([text('a')]);
  });

  it.each([
    [{ summary: 'I think' }, 'summary'],
    [{ summary: [], encrypted_content: 7 }, 'encrypted_content'],
  ])('decodeInput rejects reasoning of %j', (fields, field) => {
    expect(problemOf({ type: 'reasoning', ...fields })).toMatchObject({ param: `input[0].${field}` });
  });
});
