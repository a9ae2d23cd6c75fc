import { describe, expect, it } from 'vitest';
import { decode, decodingProblem, encodeFor } from './testing/exchange.ts';

const read = { type: 'function', name: 'read', parameters: { type: 'object', properties: {} }, strict: true };
const write = { ...read, name: 'write' };

describe('T1: a function', () => {
  it('is described flat', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const tool = { type: 'function', name: 'read', description: 'Reads.', parameters, strict: false };
    expect(decode({ tools: [tool] }).tools).toEqual([
      { name: 'read', description: 'Reads.', parameters, isStrict: false },
    ]);
  });

  it.each([undefined, null, {}])('with parameters of %o takes none', (parameters) => {
    expect(decode({ tools: [{ type: 'function', name: 'now', parameters }] }).tools).toEqual([
      { name: 'now', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('names what only OpenAI knows of it', () => {
    expect(decode({ tools: [{ ...read, defer_loading: true }] }).extensions).toEqual(['tools.defer_loading']);
  });

  it.each([
    [{ type: 'function' }, 'tools[0].name'],
    [{ type: 'function', name: '' }, 'tools[0].name'],
    [{ ...read, parameters: 'none' }, 'tools[0].parameters'],
    [{ ...read, strict: 'yes' }, 'tools[0].strict'],
  ])('of %o is refused', (tool, param) => {
    expect(decodingProblem({ tools: [tool] })).toMatchObject({ code: 'invalid_request', param });
  });

  it('is sent flat, and strict only where that was asked for', () => {
    const parameters = { type: 'object', properties: {} };
    const tools = [
      { name: 'a', parameters },
      { name: 'b', description: 'd', parameters, isStrict: true },
    ];
    expect(encodeFor({ tools }).body.tools).toEqual([
      { type: 'function', name: 'a', parameters, strict: false },
      { type: 'function', name: 'b', description: 'd', parameters, strict: true },
    ]);
  });
});

describe('R1: a custom tool', () => {
  const patch = { type: 'custom', name: 'apply_patch', description: 'Edits files.' };

  it('is a function with one text', () => {
    expect(decode({ tools: [patch] })).toMatchObject({
      tools: [
        {
          name: 'apply_patch',
          description: 'Edits files.',
          parameters: {
            type: 'object',
            properties: { input: { type: 'string' } },
            required: ['input'],
            additionalProperties: false,
          },
        },
      ],
      extensions: [],
    });
  });

  it('of any text is no different', () => {
    expect(decode({ tools: [{ ...patch, format: { type: 'text' } }] })).toEqual(decode({ tools: [patch] }));
  });

  it('tells of its grammar, which nobody else enforces, and warns', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"+' };
    const { tools, extensions } = decode({ tools: [{ ...patch, format }] });
    expect(tools[0]?.description).toMatch(/^Edits files\.\n\n.*lark grammar:\nstart: "a"\+$/s);
    expect(extensions).toEqual(['tools.format']);
  });

  it('needs no description', () => {
    expect(decode({ tools: [{ type: 'custom', name: 'f' }] }).tools[0]).not.toHaveProperty('description');
  });

  it('needs a name', () => {
    expect(decodingProblem({ tools: [{ type: 'custom' }] })).toMatchObject({ param: 'tools[0].name' });
  });
});

describe('tools that a provider brings along', () => {
  const types = [
    ...['web_search', 'web_search_preview', 'web_search_2025_08_26', 'file_search', 'code_interpreter'],
    ...['image_generation', 'mcp', 'computer_use_preview', 'local_shell', 'shell', 'apply_patch'],
    ...['tool_search', 'x_search', 'mcp_something', 'web', 'constructor'],
  ];

  it.each(types)('%s is left out with a warning', (type) => {
    const { tools, extensions } = decode({ tools: [{ type }, read] });
    expect(tools.map(({ name }) => name)).toEqual(['read']);
    expect(extensions).toEqual([`tools.${type}`]);
  });

  it.each(types)('%s is refused where it is demanded', (type) => {
    expect(decodingProblem({ tools: [{ type }, read], tool_choice: { type } })).toMatchObject({
      code: 'invalid_request',
      param: 'tool_choice',
    });
  });

  it('are refused where they are the only ones, and one is demanded', () => {
    expect(decodingProblem({ tools: [{ type: 'web_search' }], tool_choice: 'required' })).toMatchObject({
      param: 'tool_choice',
    });
  });

  it('leave nothing about tools where they are the only ones', () => {
    const { tools, toolChoice } = decode({ tools: [{ type: 'web_search' }], tool_choice: 'auto' });
    expect({ tools, toolChoice }).toEqual({ tools: [], toolChoice: { kind: 'auto' } });
    const { body } = encodeFor({ tools, toolChoice, isParallelToolUse: true });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tools']));
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
  });
});

describe('a namespace', () => {
  const close = { type: 'function', name: 'close', description: 'Closes.' };
  const exec = { type: 'custom', name: 'exec' };
  const agents = { type: 'namespace', name: 'agents', description: 'About agents.', tools: [close, exec] };

  it('is the namespace of its tools, and the first tells what it is for', () => {
    expect(decode({ tools: [read, agents] })).toMatchObject({
      tools: [
        { name: 'read' },
        { name: 'close', namespace: 'agents', description: 'About agents.\n\nCloses.' },
        { name: 'exec', namespace: 'agents', isFreeform: true },
      ],
      extensions: [],
    });
  });

  it('may be empty, and may hold what others cannot be offered', () => {
    const tools = [
      { ...agents, tools: [] },
      { ...agents, name: 'web', tools: [{ type: 'web_search' }, close] },
    ];
    expect(decode({ tools })).toMatchObject({
      tools: [{ name: 'close', namespace: 'web' }],
      extensions: ['tools.web_search'],
    });
  });

  it.each([
    [{ type: 'namespace', tools: [] }, 'tools[0].name'],
    [{ type: 'namespace', name: 'a' }, 'tools[0].tools'],
    [{ type: 'namespace', name: 'a', tools: [{ type: 'function' }] }, 'tools[0].tools[0].name'],
  ])('of %o is refused', (tool, param) => {
    expect(decodingProblem({ tools: [tool] })).toMatchObject({ code: 'invalid_request', param });
  });

  it.each(['additional_tools', 'tool_search_output'])('may come with an item of type %s', (type) => {
    const item = { type, role: 'developer', tools: [agents] };
    const { tools } = decode({ input: [item, { role: 'user', content: 'q' }], tools: [read] });
    expect(tools.map(({ name, namespace }) => [namespace, name])).toEqual([
      [undefined, 'read'],
      ['agents', 'close'],
      ['agents', 'exec'],
    ]);
  });

  const chosen = (tool_choice: unknown, tools: object[] = [read, agents]) => {
    const decoded = decode({ tools, tool_choice });
    return [decoded.toolChoice, decoded.tools.map(({ name }) => name)];
  };
  const all = ['read', 'close', 'exec'];

  it.each([
    [{ type: 'function', name: 'close', namespace: 'agents' }],
    [{ type: 'function', name: 'close' }],
  ])('%o demands the tool in it', (choice) => {
    expect(chosen(choice)).toEqual([{ kind: 'tool', name: 'close', namespace: 'agents' }, all]);
  });

  it('gives way to a tool of the same name without one', () => {
    const tools = [{ ...read, name: 'close' }, agents];
    expect(chosen({ type: 'function', name: 'close' }, tools)[0]).toEqual({ kind: 'tool', name: 'close' });
  });

  it.each([
    [{ type: 'namespace', name: 'agents' }, { kind: 'required' }, ['close', 'exec']],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'namespace', name: 'agents' }] },
      { kind: 'auto' },
      ['close', 'exec'],
    ],
    [
      {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'close', namespace: 'agents' }],
      },
      { kind: 'auto' },
      ['close'],
    ],
    [
      {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'close', namespace: 'other' }],
      },
      { kind: 'auto' },
      [],
    ],
  ])('%o leaves what it says', (choice, kind, names) => {
    expect(chosen(choice)).toEqual([kind, names]);
  });

  it('that nobody has cannot be demanded', () => {
    const tool_choice = { type: 'namespace', name: 'others' };
    expect(decodingProblem({ tools: [read, agents], tool_choice })).toMatchObject({ param: 'tool_choice' });
  });
});

describe('T3: the choice of tools', () => {
  it.each(['auto', 'none', 'required'])('%s', (kind) => {
    expect(decode({ tools: [read], tool_choice: kind }).toolChoice).toEqual({ kind });
  });

  it.each(['function', 'custom'])('of one %s', (type) => {
    expect(decode({ tools: [read], tool_choice: { type, name: 'read' } }).toolChoice).toEqual({
      kind: 'tool',
      name: 'read',
    });
  });

  it.each(['auto', 'required'])('among some: %s', (mode) => {
    const tool_choice = { type: 'allowed_tools', mode, tools: [{ type: 'function', name: 'write' }] };
    const { tools, toolChoice } = decode({ tools: [read, write], tool_choice });
    expect(tools.map(({ name }) => name)).toEqual(['write']);
    expect(toolChoice).toEqual({ kind: mode });
  });

  it('among some that are all left out is refused', () => {
    const tool_choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] };
    expect(decodingProblem({ tools: [read, { type: 'web_search' }], tool_choice })).toMatchObject({
      param: 'tool_choice',
    });
  });

  it.each([
    ['sometimes', 'tool_choice'],
    [{ type: 'function' }, 'tool_choice.name'],
    [{ type: 'allowed_tools', mode: 'none', tools: [] }, 'tool_choice.mode'],
    [{ type: 'allowed_tools', mode: 'auto' }, 'tool_choice.tools'],
  ])('%o is refused', (tool_choice, param) => {
    expect(decodingProblem({ tools: [read], tool_choice })).toMatchObject({ code: 'invalid_request', param });
  });

  it.each([null, undefined])('%o is none', (tool_choice) => {
    expect(decode({ tools: [read], tool_choice })).not.toHaveProperty('toolChoice');
  });

  it('is sent as it is known here, and not without tools', () => {
    const tools = [{ name: 'read', parameters: { type: 'object' } }];
    expect(encodeFor({ tools, toolChoice: { kind: 'required' } }).body.tool_choice).toBe('required');
    expect(encodeFor({ tools, toolChoice: { kind: 'tool', name: 'read' } }).body.tool_choice).toEqual({
      type: 'function',
      name: 'read',
    });
    const { body } = encodeFor({ toolChoice: { kind: 'auto' }, isParallelToolUse: false });
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
  });

  it.each([true, false])('T4: calls at the same time: %s', (isParallelToolUse) => {
    const tools = [{ name: 'read', parameters: { type: 'object' } }];
    expect(encodeFor({ tools, isParallelToolUse }).body.parallel_tool_calls).toBe(isParallelToolUse);
    expect(decode({ tools: [read], parallel_tool_calls: isParallelToolUse })).toMatchObject({
      isParallelToolUse,
    });
  });
});
