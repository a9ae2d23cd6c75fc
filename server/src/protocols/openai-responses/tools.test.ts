import { describe, expect, it } from 'vitest';
import { decode, decodingProblem, encodeFor } from './testing/exchange.ts';

const read = { type: 'function', name: 'read', parameters: { type: 'object', properties: {} }, strict: true };
const write = { ...read, name: 'write' };

describe('T1: functions', () => {
  it('decodeTools reads a flat function', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const tool = { type: 'function', name: 'read', description: 'Reads.', parameters, strict: false };
    expect(decode({ tools: [tool] }).tools).toEqual([
      { name: 'read', description: 'Reads.', parameters, isStrict: false },
    ]);
  });

  it.each([undefined, null, {}])('decodeTools reads parameters of %j as empty', (parameters) => {
    expect(decode({ tools: [{ type: 'function', name: 'now', parameters }] }).tools).toEqual([
      { name: 'now', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('decodeTools lists the fields that only OpenAI supports', () => {
    expect(decode({ tools: [{ ...read, defer_loading: true }] }).extensions).toEqual(['tools.defer_loading']);
  });

  it.each([
    [{ type: 'function' }, 'tools[0].name'],
    [{ type: 'function', name: '' }, 'tools[0].name'],
    [{ ...read, parameters: 'none' }, 'tools[0].parameters'],
    [{ ...read, strict: 'yes' }, 'tools[0].strict'],
  ])('decodeTools rejects a function of %j', (tool, param) => {
    expect(decodingProblem({ tools: [tool] })).toMatchObject({ code: 'invalid_request', param });
  });

  it('encodeTools writes flat functions with strict set to false unless requested', () => {
    const parameters = { type: 'object', properties: {} };
    const tools = [
      { name: 'a', parameters },
      { name: 'b', description: 'd', parameters, isStrict: true },
    ];
    expect(encodeFor({ tools }).body.tools).toEqual([
      { type: 'function', name: 'a', parameters, strict: false },
      {
        type: 'function',
        name: 'b',
        description: 'd',
        parameters: { ...parameters, required: [], additionalProperties: false },
        strict: true,
      },
    ]);
  });
});

describe('R1: custom tools', () => {
  const patch = { type: 'custom', name: 'apply_patch', description: 'Edits files.' };

  it('decodeTools reads a custom tool as a function with one text argument', () => {
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

  it('decodeTools reads a custom tool of format text in the same way', () => {
    expect(decode({ tools: [{ ...patch, format: { type: 'text' } }] })).toEqual(decode({ tools: [patch] }));
  });

  it('decodeTools adds the grammar to the description and warns that it is not enforced', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"+' };
    const { tools, extensions } = decode({ tools: [{ ...patch, format }] });
    expect(tools[0]?.description).toMatch(/^Edits files\.\n\n.*lark grammar:\nstart: "a"\+$/s);
    expect(extensions).toEqual(['tools.format']);
  });

  it('decodeTools accepts a custom tool without a description', () => {
    expect(decode({ tools: [{ type: 'custom', name: 'f' }] }).tools[0]).not.toHaveProperty('description');
  });

  it('decodeTools rejects a custom tool without a name', () => {
    expect(decodingProblem({ tools: [{ type: 'custom' }] })).toMatchObject({ param: 'tools[0].name' });
  });
});

describe('tools that the provider runs', () => {
  const types = [
    ...['web_search', 'web_search_preview', 'web_search_2025_08_26', 'file_search', 'code_interpreter'],
    ...['image_generation', 'mcp', 'computer_use_preview', 'local_shell', 'shell', 'apply_patch'],
    ...['tool_search', 'x_search', 'mcp_something', 'web', 'constructor'],
  ];

  it.each(types)('decodeTools leaves out %s with a warning', (type) => {
    const { tools, extensions } = decode({ tools: [{ type }, read] });
    expect(tools.map(({ name }) => name)).toEqual(['read']);
    expect(extensions).toEqual([`tools.${type}`]);
  });

  it.each(types)('decodeToolChoice rejects a choice of %s', (type) => {
    expect(decodingProblem({ tools: [{ type }, read], tool_choice: { type } })).toMatchObject({
      code: 'invalid_request',
      param: 'tool_choice',
    });
  });

  it('decodeToolChoice rejects a required call if all tools are run by the provider', () => {
    expect(decodingProblem({ tools: [{ type: 'web_search' }], tool_choice: 'required' })).toMatchObject({
      param: 'tool_choice',
    });
  });

  it('encodeTools writes no tool fields if all tools are run by the provider', () => {
    const { tools, toolChoice } = decode({ tools: [{ type: 'web_search' }], tool_choice: 'auto' });
    expect({ tools, toolChoice }).toEqual({ tools: [], toolChoice: { kind: 'auto' } });
    const { body } = encodeFor({ tools, toolChoice, isParallelToolUse: true });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tools']));
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
  });
});

describe('namespaces', () => {
  const close = { type: 'function', name: 'close', description: 'Closes.' };
  const exec = { type: 'custom', name: 'exec' };
  const agents = { type: 'namespace', name: 'agents', description: 'About agents.', tools: [close, exec] };

  it('decodeTools keeps the namespace of tools and adds its description to the first', () => {
    expect(decode({ tools: [read, agents] })).toMatchObject({
      tools: [
        { name: 'read' },
        { name: 'close', namespace: 'agents', description: 'About agents.\n\nCloses.' },
        { name: 'exec', namespace: 'agents', isFreeform: true },
      ],
      extensions: [],
    });
  });

  it('decodeTools accepts an empty namespace and one with unsupported tools', () => {
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
  ])('decodeTools rejects a namespace of %j', (tool, param) => {
    expect(decodingProblem({ tools: [tool] })).toMatchObject({ code: 'invalid_request', param });
  });

  it.each(['additional_tools', 'tool_search_output'])(
    'decodeTools reads namespaces from an item of type %s',
    (type) => {
      const item = { type, role: 'developer', tools: [agents] };
      const { tools } = decode({ input: [item, { role: 'user', content: 'q' }], tools: [read] });
      expect(tools.map(({ name, namespace }) => [namespace, name])).toEqual([
        [undefined, 'read'],
        ['agents', 'close'],
        ['agents', 'exec'],
      ]);
    },
  );

  const chosen = (tool_choice: unknown, tools: object[] = [read, agents]) => {
    const decoded = decode({ tools, tool_choice });
    return [decoded.toolChoice, decoded.tools.map(({ name }) => name)];
  };
  const all = ['read', 'close', 'exec'];

  it.each([
    [{ type: 'function', name: 'close', namespace: 'agents' }],
    [{ type: 'function', name: 'close' }],
  ])('decodeToolChoice reads %j as a tool in the namespace', (choice) => {
    expect(chosen(choice)).toEqual([{ kind: 'tool', name: 'close', namespace: 'agents' }, all]);
  });

  it('decodeToolChoice prefers a tool of the same name without a namespace', () => {
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
  ])('decodeToolChoice offers only the tools chosen by %j', (choice, kind, names) => {
    expect(chosen(choice)).toEqual([kind, names]);
  });

  it('decodeToolChoice rejects an unknown namespace', () => {
    const tool_choice = { type: 'namespace', name: 'others' };
    expect(decodingProblem({ tools: [read, agents], tool_choice })).toMatchObject({ param: 'tool_choice' });
  });
});

describe('T3: tool choice', () => {
  it.each(['auto', 'none', 'required'])('decodeToolChoice reads the tool choice %s', (kind) => {
    expect(decode({ tools: [read], tool_choice: kind }).toolChoice).toEqual({ kind });
  });

  it.each(['function', 'custom'])('decodeToolChoice reads the choice of one tool of type %s', (type) => {
    expect(decode({ tools: [read], tool_choice: { type, name: 'read' } }).toolChoice).toEqual({
      kind: 'tool',
      name: 'read',
    });
  });

  it.each(['auto', 'required'])('decodeToolChoice keeps only the allowed tools for the mode %s', (mode) => {
    const tool_choice = { type: 'allowed_tools', mode, tools: [{ type: 'function', name: 'write' }] };
    const { tools, toolChoice } = decode({ tools: [read, write], tool_choice });
    expect(tools.map(({ name }) => name)).toEqual(['write']);
    expect(toolChoice).toEqual({ kind: mode });
  });

  it('decodeToolChoice rejects allowed tools that are all left out', () => {
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
  ])('decodeToolChoice rejects %j', (tool_choice, param) => {
    expect(decodingProblem({ tools: [read], tool_choice })).toMatchObject({ code: 'invalid_request', param });
  });

  it.each([null, undefined])('decodeToolChoice ignores %j', (tool_choice) => {
    expect(decode({ tools: [read], tool_choice })).not.toHaveProperty('toolChoice');
  });

  it('encodeTools writes the tool choice only if there are tools', () => {
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

  it.each([true, false])(
    'T4: decodeTools and encodeTools keep parallel tool calls set to %s',
    (isParallelToolUse) => {
      const tools = [{ name: 'read', parameters: { type: 'object' } }];
      expect(encodeFor({ tools, isParallelToolUse }).body.parallel_tool_calls).toBe(isParallelToolUse);
      expect(decode({ tools: [read], parallel_tool_calls: isParallelToolUse })).toMatchObject({
        isParallelToolUse,
      });
    },
  );
});
