import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ToolName } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { makeToolNamesPortable, restoreToolName, restoreToolNames } from './tool-names.ts';

const portable = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

const ask = (tools: readonly ToolName[], more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  messages: [],
  tools: tools.map((tool) => ({ ...tool, parameters: { type: 'object' } })),
  stop: [],
  sampling: {},
  extensions: [],
  ...more,
});

const namesOf = (tools: readonly ToolName[]) =>
  makeToolNamesPortable(ask(tools)).request.tools.map(({ name }) => name);

const callOf = (name: string) => ({ type: 'tool-input-start', choice: 0, block: 0, id: 'c1', name }) as const;

const anyName = fc.oneof(
  fc.constantFrom('a', 'b', 'a__b', 'b__c', 'a__b__c', '_', '1', 'é', 'read.file', 'x'.repeat(64)),
  fc.string({ minLength: 1, maxLength: 130 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
);
const anyTool: fc.Arbitrary<ToolName> = fc.oneof(
  anyName.map((name) => ({ name })),
  fc.record({ name: anyName, namespace: anyName }),
);

describe('makeToolNamesPortable', () => {
  it('makeToolNamesPortable returns unique names that every provider accepts and that map back to the tools', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyTool, { selector: (tool) => JSON.stringify([tool.namespace, tool.name]) }),
        (tools) => {
          const { request, callerTools } = makeToolNamesPortable(ask(tools));
          const names = request.tools.map(({ name }) => name);
          expect(new Set(names).size).toBe(tools.length);
          for (const [index, name] of names.entries()) {
            expect(name).toMatch(portable);
            expect(restoreToolName(callOf(name), callerTools)).toEqual({ ...callOf(name), ...tools[index] });
          }
          expect(request.tools.every((tool) => !('namespace' in tool))).toBe(true);
        },
      ),
    );
  });

  it('makeToolNamesPortable keeps names that every provider accepts', () => {
    expect(namesOf([{ name: 'read-file_2' }, { name: '_' }])).toEqual(['read-file_2', '_']);
  });

  it.each([
    [{ name: 'close_agent', namespace: 'multi_agent_v1' }, 'multi_agent_v1__close_agent'],
    [{ name: 'read.file' }, 'read_file'],
    [{ name: '1password' }, '_1password'],
    [{ name: 'f', namespace: '' }, '__f'],
  ])('makeToolNamesPortable renames %j to %s', (tool, name) => {
    expect(namesOf([tool])).toEqual([name]);
  });

  it('makeToolNamesPortable renames a tool whose portable name a later tool has', () => {
    const [grouped, plain] = namesOf([{ name: 'b', namespace: 'a' }, { name: 'a__b' }]);
    expect(plain).toBe('a__b');
    expect(grouped).toMatch(/^a__b_[a-zA-Z0-9]{10}$/);
  });

  it('makeToolNamesPortable shortens long names to 64 characters regardless of the other tools', () => {
    const long = { name: 'get_failed_pipeline_jobs'.repeat(3), namespace: 'mcp__server' };
    const [name] = namesOf([long]);
    expect(name).toHaveLength(64);
    expect(namesOf([{ name: 'other' }, long])).toEqual(['other', name]);
    expect(namesOf([{ ...long, name: `${long.name}2` }])).not.toEqual([name]);
  });
});

describe('duplicate tools of a request', () => {
  it('makeToolNamesPortable lists a duplicate tool once, with its last description', () => {
    const tools = [
      { name: 'f', parameters: {}, description: 'old' },
      { name: 'g', parameters: {} },
      { name: 'f', parameters: {}, description: 'new' },
    ];
    const { request } = makeToolNamesPortable(ask([], { tools }));
    expect(request.tools.map(({ name, description }) => [name, description])).toEqual([
      ['f', 'new'],
      ['g', undefined],
    ]);
  });
});

describe('tool names in a conversation', () => {
  const tool = { name: 'close_agent', namespace: 'multi_agent_v1' };
  const messages: Message[] = [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Well.' },
        { type: 'tool-call', id: 'c1', ...tool, arguments: '{}' },
        { type: 'tool-call', id: 'c2', name: 'gone', namespace: 'old', arguments: '{}' },
      ],
    },
    { role: 'user', parts: [{ type: 'tool-result', callId: 'c1', ...tool, parts: [], isError: false }] },
  ];

  it('makeToolNamesPortable renames the tools of calls and results, including tools that no longer exist', () => {
    const { request, callerTools } = makeToolNamesPortable(ask([tool], { messages }));
    expect(request.messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Well.' },
          { type: 'tool-call', id: 'c1', name: 'multi_agent_v1__close_agent', arguments: '{}' },
          { type: 'tool-call', id: 'c2', name: 'old__gone', arguments: '{}' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 'c1',
            name: 'multi_agent_v1__close_agent',
            parts: [],
            isError: false,
          },
        ],
      },
    ]);
    expect(restoreToolName(callOf('old__gone'), callerTools)).toMatchObject({
      name: 'gone',
      namespace: 'old',
    });
  });

  it('makeToolNamesPortable renames the tool of a tool choice', () => {
    const { request } = makeToolNamesPortable(ask([tool], { toolChoice: { kind: 'tool', ...tool } }));
    expect(request.toolChoice).toEqual({ kind: 'tool', name: 'multi_agent_v1__close_agent' });
  });

  it("restoreToolNames restores the caller's names in a complete response and keeps others", () => {
    const { callerTools } = makeToolNamesPortable(ask([tool]));
    const call = (name: string) => ({ type: 'tool-call', id: 'c', name, arguments: '{}' }) as const;
    const answer = {
      id: null,
      model: null,
      createdAtSeconds: null,
      usage: null,
      choices: [
        {
          parts: [call('multi_agent_v1__close_agent'), call('made_up'), { type: 'text', text: 'a' } as const],
          finish: { reason: 'tool-calls', native: null } as const,
        },
      ],
    };
    expect(restoreToolNames(answer, callerTools).choices[0]?.parts).toEqual([
      { ...call('close_agent'), namespace: 'multi_agent_v1' },
      call('made_up'),
      { type: 'text', text: 'a' },
    ]);
  });
});
