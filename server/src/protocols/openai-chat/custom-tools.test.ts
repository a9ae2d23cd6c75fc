import { describe, expect, it } from 'vitest';
import { collectAnswer } from '#test/requests/through-callers.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { makeToolNamesPortable, restoreToolName, restoreToolNames } from '../translation/tool-names.ts';
import { openaiChat } from './index.ts';

const { caller } = openaiChat;
const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: false };

function decode(fields: object) {
  const body = { model: 'm', messages: [{ role: 'user', content: 'q' }], ...fields };
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  return decoded.request;
}

const grammar = { syntax: 'regex', definition: 'a+' };
const patch = { type: 'custom', custom: { name: 'patch', description: 'Edits.', format: { type: 'text' } } };
const exec = { type: 'custom', custom: { name: 'exec', format: { type: 'grammar', grammar } } };
const read = { type: 'function', function: { name: 'read' } };
const all = [read, patch, exec];

describe('custom tools', () => {
  it('a custom tool becomes a function with one text argument that describes the grammar', () => {
    const { tools, extensions } = decode({ tools: all });
    expect(tools).toMatchObject([
      { name: 'read' },
      { name: 'patch', description: 'Edits.', isFreeform: true, parameters: { required: ['input'] } },
      { name: 'exec', description: 'The input must conform to this regex grammar:\na+' },
    ]);
    expect(extensions).toEqual(['tools.format']);
  });

  it.each([
    [
      { type: 'custom', custom: { name: 'patch' } },
      { kind: 'tool', name: 'patch' },
      ['read', 'patch', 'exec'],
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'patch' } }, read] },
      },
      { kind: 'required' },
      ['read', 'patch'],
    ],
  ])('a custom tool can be chosen: %j', (tool_choice, toolChoice, names) => {
    const decoded = decode({ tools: all, tool_choice });
    expect(decoded.toolChoice).toEqual(toolChoice);
    expect(decoded.tools.map(({ name }) => name)).toEqual(names);
  });

  const history = [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'c1', type: 'custom', custom: { name: 'patch', input: 'a "b"' } },
        { id: 'c2', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
    { role: 'tool', tool_call_id: 'c2', content: 'text' },
  ];

  it('a custom tool call in the history keeps its text and its result', () => {
    const { messages } = decode({ messages: history, tools: all });
    expect(messages.slice(1)).toMatchObject([
      { parts: [{ name: 'patch', isFreeform: true, arguments: '{"input":"a \\"b\\""}' }, { name: 'read' }] },
      {
        parts: [
          { callId: 'c1', name: 'patch' },
          { callId: 'c2', name: 'read' },
        ],
      },
    ]);
  });

  const { callerTools } = makeToolNamesPortable(decode({ tools: all }));
  const call = (block: number, name: string, ...pieces: string[]): StreamEvent[] => [
    { type: 'tool-input-start', choice: 0, block, id: `c${block}`, name },
    ...pieces.map((json) => ({ type: 'tool-input-delta', choice: 0, block, json }) as const),
    { type: 'tool-input-end', choice: 0, block },
  ];
  const events: StreamEvent[] = [
    ...call(0, 'patch', '{"inp', 'ut":"a \\"b\\""}'),
    ...call(1, 'read', '{"input":', '"a"}'),
    { type: 'finish', choice: 0, finish: { reason: 'tool-calls', native: null } },
  ];

  it('a custom tool call in a complete response is encoded with its text', () => {
    const named = restoreToolNames(collectAnswer(events), callerTools);
    expect(caller.encodeResponse(named, context)).toMatchObject({
      choices: [
        {
          message: {
            tool_calls: [
              { id: 'c0', type: 'custom', custom: { name: 'patch', input: 'a "b"' } },
              { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"input":"a"}' } },
            ],
          },
        },
      ],
    });
  });

  it('a custom tool call in a stream is sent when it is complete', () => {
    const encoder = caller.createStreamEncoder(context);
    const bytes = events.map((event) => encoder.encode(restoreToolName(event, callerTools))).join('');
    const calls = [...bytes.matchAll(/^data: (\{.*\})$/gm)].flatMap(
      ([, json = '']) => JSON.parse(json).choices[0].delta.tool_calls ?? [],
    );
    expect(calls).toEqual([
      { index: 0, id: 'c0', type: 'custom', custom: { name: 'patch', input: '' } },
      { index: 0, custom: { input: 'a "b"' } },
      { index: 1, id: 'c1', type: 'function', function: { name: 'read', arguments: '' } },
      { index: 1, function: { arguments: '{"input":' } },
      { index: 1, function: { arguments: '"a"}' } },
    ]);
  });
});

describe('tools run by the provider', () => {
  it('tools run by the provider are omitted with a warning', () => {
    const decoded = decode({ tools: [{ type: 'web_search' }, read], web_search_options: {} });
    expect(decoded.tools.map(({ name }) => name)).toEqual(['read']);
    expect(decoded.extensions).toEqual(['web_search_options', 'tools.web_search']);
  });

  it.each([
    ['auto', [{ type: 'web_search' }], true],
    ['required', [{ type: 'web_search' }], false],
    [{ type: 'web_search' }, [{ type: 'web_search' }, read], false],
  ])(
    'the tool choice %j with the tools %j, of which the provider runs web_search, is accepted: %s',
    (tool_choice, tools, isTaken) => {
      const attempt = () => decode({ tools, tool_choice });
      if (isTaken) expect(attempt().tools).toEqual([]);
      else expect(attempt).toThrow(/^tool_choice: .*requires/);
    },
  );
});
