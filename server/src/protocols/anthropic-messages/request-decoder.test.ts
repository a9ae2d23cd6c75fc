import { describe, expect, it } from 'vitest';
import { decode, decodingProblem } from './testing/exchange.ts';

const text = (value: string) => ({ type: 'text', text: value });
const userContent = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const partsOf = (...content: object[]) => decode(userContent(...content)).messages[0]?.parts;
const png = 'iVBORw0KGgo=';

describe('caller messages', () => {
  it('M1: decodeRequest puts system text first, given as a string or as blocks', () => {
    expect(decode({ system: 'Be brief.' }).messages[0]).toEqual({
      role: 'system',
      parts: [text('Be brief.')],
    });
    expect(decode({ system: [text('a'), text('b')] }).messages[0]).toEqual({
      role: 'system',
      parts: [text('a'), text('b')],
    });
    expect(decode({ system: '' }).messages).toHaveLength(1);
  });

  it('M1: decodeRequest keeps the position of later system messages', () => {
    const roles = decode({
      system: 'first',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'system', content: [text('from now on')] },
        { role: 'assistant', content: 'b' },
      ],
    }).messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'system', 'assistant']);
  });

  it('M4: decodeRequest accepts content as a string or as blocks for every role', () => {
    for (const role of ['user', 'assistant', 'system']) {
      const asString = decode({ messages: [{ role, content: 'x' }] }).messages;
      expect(asString).toEqual([{ role, parts: [text('x')] }]);
      expect(decode({ messages: [{ role, content: [text('x')] }] }).messages).toEqual(asString);
    }
  });

  it('M3: decodeRequest decodes an empty text as no part', () => {
    expect(decode({ messages: [{ role: 'user', content: '' }] }).messages).toEqual([
      { role: 'user', parts: [] },
    ]);
  });
});

describe('system turns', () => {
  const brief = (clear_at: string) => ({ role: 'system', content: 'Be brief.', clear_at });
  const asked = { role: 'user', content: 'q' };

  it.each([
    ['next_user_message', [asked, brief('next_user_message')], 2],
    ['next_user_message', [asked, brief('next_user_message'), asked], 2],
    ['never', [asked, brief('never'), asked], 3],
  ])('decodeRequest keeps a system turn with clear_at %s until it is cleared: %j', (_, messages, count) => {
    const decoded = decode({ messages });
    expect(decoded.messages).toHaveLength(count);
    expect(decoded.extensions).toEqual([]);
  });

  it('decodeRequest accepts a system turn that only sets the effort', () => {
    const { messages, reasoning } = decode({
      messages: [asked, { role: 'system', output_config: { effort: 'low' } }],
    });
    expect(messages).toHaveLength(1);
    expect(reasoning).toEqual({ effort: 'low' });
  });
});

describe('images and documents from a caller', () => {
  it('I1: decodeRequest reads images by data, URL, and file ID', () => {
    expect(
      partsOf(
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      ),
    ).toEqual([
      { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png } },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { kind: 'file', fileId: 'file_1' } },
    ]);
  });

  it('I2: decodeRequest prefers the detected media type of an image over the declared one', () => {
    expect(
      partsOf({ type: 'image', source: { type: 'base64', media_type: 'image/jpg', data: png } }),
    ).toMatchObject([{ source: { mediaType: 'image/png' } }]);
  });

  it('I5: decodeRequest reads documents with their titles', () => {
    expect(
      partsOf(
        {
          type: 'document',
          title: 'Plan',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
        { type: 'document', source: { type: 'content', content: [text('a'), text('b')] } },
        { type: 'document', source: { type: 'content', content: 'c' } },
        { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
      ),
    ).toEqual([
      {
        type: 'document',
        name: 'Plan',
        source: { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0=' },
      },
      { type: 'document', source: { kind: 'text', text: 'words' } },
      { type: 'document', source: { kind: 'text', text: 'a\nb' } },
      { type: 'document', source: { kind: 'text', text: 'c' } },
      { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
    ]);
  });

  it('decodeRequest decodes a search result as a document with its source', () => {
    expect(
      partsOf({
        type: 'search_result',
        source: 'https://example.com',
        title: 'Facts',
        content: [text('one'), text('two')],
        citations: { enabled: true },
      }),
    ).toEqual([
      { type: 'document', name: 'Facts', source: { kind: 'text', text: 'https://example.com\none\ntwo' } },
    ]);
  });

  it.each([
    ['messages[0].content[0].source', { type: 'image' }],
    ['messages[0].content[0].source.type', { type: 'image', source: { type: 'ftp' } }],
    ['messages[0].content[0].source.url', { type: 'image', source: { type: 'url' } }],
    ['messages[0].content[0].text', { type: 'text', text: 7 }],
    ['messages[0].content[0].tool_use_id', { type: 'tool_result' }],
    [
      'messages[0].content[0].content[0].source',
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image' }] },
    ],
    ['messages[0].content[0].type', { type: 'container_upload', file_id: 'f' }],
    [
      'messages[0].content[0].content[0].type',
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'something_new' }] },
    ],
  ])('decodeRequest returns the param %s for an invalid block', (param, block) => {
    const problem = decodingProblem(userContent(block));
    expect(problem?.param).toBe(param);
    expect(problem?.message).toContain(param);
  });
});

describe('tool calls and results from a caller', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'words' };
  const loop = (calls: object[], results: object[]) =>
    decode({
      messages: [
        { role: 'user', content: 'Read a.' },
        { role: 'assistant', content: calls },
        { role: 'user', content: results },
      ],
    }).messages;

  it('T5: decodeRequest returns arguments, including empty ones, as JSON text', () => {
    expect(loop([call, { ...call, id: 'toolu_2', input: {} }], [])[1]?.parts).toEqual([
      { type: 'tool-call', id: 'toolu_1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'tool-call', id: 'toolu_2', name: 'read', arguments: '{}' },
    ]);
  });

  it('T5: decodeRequest keeps the digits of long numbers in arguments', () => {
    const input = { id: JSON.rawJSON('12345678901234567890') };
    expect(loop([{ ...call, input }], [])[1]?.parts).toMatchObject([
      { arguments: '{"id":12345678901234567890}' },
    ]);
  });

  it('T7: decodeRequest adds the name of the call to its result', () => {
    expect(loop([call], [result])[2]?.parts).toEqual([
      {
        type: 'tool-result',
        callId: 'toolu_1',
        name: 'read',
        parts: [text('words')],
        isError: false,
      },
    ]);
    expect(loop([], [result])[2]?.parts).toMatchObject([{ callId: 'toolu_1' }]);
    expect(loop([], [result])[2]?.parts[0]).not.toHaveProperty('name');
  });

  it('T7: decodeRequest puts tool results before other content', () => {
    const types = loop([call], [text('Thanks'), result])[2]?.parts.map(({ type }) => type);
    expect(types).toEqual(['tool-result', 'text']);
  });

  it('T8: decodeRequest reads images and documents in a tool result', () => {
    const content = [
      text('see'),
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'document', source: { type: 'text', data: 'words' } },
    ];
    expect(loop([call], [{ ...result, content }])[2]?.parts).toMatchObject([
      { parts: [{ type: 'text' }, { type: 'image' }, { type: 'document' }] },
    ]);
  });

  it('T9: decodeRequest keeps failed and empty tool results', () => {
    expect(loop([call], [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }])[2]?.parts).toEqual(
      [{ type: 'tool-result', callId: 'toolu_1', name: 'read', parts: [], isError: true }],
    );
  });

  it('T10: decodeRequest omits server tool calls in the history with a warning', () => {
    const { messages, extensions } = decode({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
            text('Found.'),
          ],
        },
      ],
    });
    expect(messages[0]?.parts).toEqual([text('Found.')]);
    expect(extensions).toEqual(['server_tool_use', 'web_search_tool_result']);
  });

  it('decodeRequest keeps a compaction summary as text', () => {
    const content = [{ type: 'compaction', content: 'So far: nothing.' }, text('Go on.')];
    expect(decode({ messages: [{ role: 'assistant', content }] }).messages[0]?.parts).toEqual([
      text('So far: nothing.'),
      text('Go on.'),
    ]);
  });
});

describe('reasoning from a caller', () => {
  const parts = (...content: object[]) =>
    decode({ messages: [{ role: 'assistant', content }] }).messages[0]?.parts;

  it('M7: decodeRequest keeps the signature of thinking and the data of redacted thinking', () => {
    expect(
      parts(
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      ),
    ).toEqual([
      {
        type: 'reasoning',
        text: 'hm',
        isRedacted: false,
        signature: { protocol: 'anthropic-messages', value: 'c2ln' },
      },
      {
        type: 'reasoning',
        text: '',
        isRedacted: true,
        signature: { protocol: 'anthropic-messages', value: 'ZGF0YQ==' },
      },
    ]);
  });

  it('M7: decodeRequest reads thinking with an empty signature as unsigned reasoning', () => {
    expect(parts({ type: 'thinking', thinking: 'hm', signature: '' }, text('Yes.'))).toEqual([
      { type: 'reasoning', text: 'hm', isRedacted: false },
      text('Yes.'),
    ]);
  });

  it.each([
    ['a missing thinking field', {}, undefined],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 2048 } }, { budgetTokens: 2048 }],
    ['adaptive thinking', { thinking: { type: 'adaptive' } }, { isOn: true }],
    [
      'adaptive thinking with an effort',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
      { effort: 'xhigh', isShown: true },
    ],
    [
      'omitted thinking',
      { thinking: { type: 'adaptive', display: 'omitted' } },
      { isOn: true, isShown: false },
    ],
    ['an effort without thinking', { output_config: { effort: 'low' } }, { effort: 'low' }],
    [
      'disabled thinking',
      { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
      { effort: 'none' },
    ],
    ['thinking between tools', { thinking: { type: 'between_tools' } }, { effort: 'minimal' }],
  ])('P4: decodeRequest reads %s as a reasoning request', (_name, fields, wish) => {
    expect(decode(fields).reasoning).toEqual(wish);
  });

  it('P4: decodeRequest rejects an unknown effort with its param', () => {
    expect(decodingProblem({ output_config: { effort: 'colossal' } })?.param).toBe('output_config.effort');
  });
});

describe('tools from a caller', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };

  it('T1: decodeRequest reads name, description, schema, and strictness of a tool', () => {
    expect(
      decode({
        tools: [
          { name: 'read', description: 'Reads.', input_schema: schema, strict: true },
          { type: 'custom', name: 'bare', input_schema: {} },
        ],
      }).tools,
    ).toEqual([
      { name: 'read', description: 'Reads.', parameters: schema, isStrict: true },
      { name: 'bare', parameters: { type: 'object' } },
    ]);
  });

  it.each([
    ['tools[0].input_schema', { name: 'read' }],
    ['tools[0].name', { input_schema: schema }],
  ])('T10: decodeRequest returns the param %s for an invalid tool', (param, tool) => {
    expect(decodingProblem({ tools: [tool] })?.param).toBe(param);
  });

  const own = { name: 'read', input_schema: schema };

  it.each([
    ...[
      'web_search_20250305',
      'web_fetch_20250910',
      'code_execution_20250825',
      'bash_20250124',
      'mcp_toolset',
    ],
    ...['text_editor_20250728', 'computer_20251124', 'memory_20250818', 'tool_search_tool_bm25_20251119'],
    'something_20300101',
  ])('T10: decodeRequest omits %s with a warning unless tool_choice requires it', (type) => {
    const tools = [{ type, name: 'theirs' }, own];
    const decoded = decode({ tools, tool_choice: { type: 'any' } });
    expect(decoded.tools.map(({ name }) => name)).toEqual(['read']);
    expect(decoded.extensions).toEqual([`tools.${type}`]);
    expect(decodingProblem({ tools, tool_choice: { type: 'tool', name: 'theirs' } })?.param).toBe(
      'tool_choice',
    );
    expect(decodingProblem({ tools: [tools[0]], tool_choice: { type: 'any' } })?.param).toBe('tool_choice');
    expect(decode({ tools: [tools[0]], tool_choice: { type: 'auto' } }).tools).toEqual([]);
  });

  it('decodeRequest applies tool additions and removals in system turns', () => {
    const definition = { name: 'late', input_schema: schema };
    const change = (type: string, tool: object) => ({ type, tool });
    const reference = (name: string) => ({ type: 'tool_reference', name });
    const { tools, messages } = decode({
      tools: [own, { ...own, name: 'gone' }, { ...own, name: 'deferred', defer_loading: true }],
      messages: [
        { role: 'user', content: 'q' },
        {
          role: 'system',
          content: [
            text('Mind the tools.'),
            change('tool_removal', reference('gone')),
            change('tool_addition', reference('deferred')),
            change('tool_addition', { type: 'tool_definition', definition }),
          ],
        },
        { role: 'system', content: [change('tool_removal', reference('nobody'))] },
      ],
    });
    expect(tools.map(({ name }) => name)).toEqual(['read', 'deferred', 'late']);
    expect(messages.slice(1)).toEqual([{ role: 'system', parts: [text('Mind the tools.')] }]);
  });

  it("decodeRequest decodes a tool reference as text with the tool's name", () => {
    const found = { type: 'tool_reference', tool_name: 'read' };
    const [result] = partsOf({ type: 'tool_result', tool_use_id: 't', content: [found] }) ?? [];
    expect(result).toMatchObject({ parts: [text("The tool 'read' can be called now.")] });
  });

  it.each([
    [{ type: 'auto' }, { kind: 'auto' }],
    [{ type: 'none' }, { kind: 'none' }],
    [{ type: 'any' }, { kind: 'required' }],
    [
      { type: 'tool', name: 'read' },
      { kind: 'tool', name: 'read' },
    ],
  ])('T3: decodeRequest reads tool_choice %j', (choice, expected) => {
    const request = decode({ tool_choice: choice });
    expect(request.toolChoice).toEqual(expected);
    expect(request).not.toHaveProperty('isParallelToolUse');
  });

  it('T3: decodeRequest rejects a tool choice of type tool without a name', () => {
    expect(decodingProblem({ tool_choice: { type: 'tool' } })?.param).toBe('tool_choice.name');
  });

  it('T4: decodeRequest reads disable_parallel_tool_use', () => {
    const choice = (isSerial: boolean) => ({
      tool_choice: { type: 'auto', disable_parallel_tool_use: isSerial },
    });
    expect(decode(choice(true)).isParallelToolUse).toBe(false);
    expect(decode(choice(false)).isParallelToolUse).toBe(true);
  });
});

describe('other fields from a caller', () => {
  it('P1 to P3: decodeRequest reads limits, sampling parameters, and stop sequences', () => {
    expect(
      decode({ max_tokens: 77, temperature: 0.5, top_p: 0.9, top_k: 40, stop_sequences: ['END'] }),
    ).toMatchObject({
      outputTokensMax: 77,
      sampling: { temperature: 0.5, topP: 0.9, topK: 40 },
      stop: ['END'],
    });
    expect(decode()).toMatchObject({ sampling: {}, stop: [], tools: [] });
  });

  it('P1: decodeRequest rejects max_tokens 0, which only Anthropic supports to fill its cache', () => {
    expect(decodingProblem({ max_tokens: 0 })?.param).toBe('max_tokens');
  });

  it.each([
    ['thread', { type: 'create' }],
    ['thread', { type: 'continue', previous_message_id: 'msg_1' }],
    ['compaction', { type: 'summarize' }],
  ])('R3: decodeRequest rejects %s: %j, which only Anthropic supports', (name, value) => {
    expect(decodingProblem({ [name]: value })).toMatchObject({ code: 'invalid_request', param: name });
    expect(decode({ [name]: null }).extensions).toEqual([]);
  });

  it('P5: decodeRequest names a JSON schema after its title if that is a valid name', () => {
    const format = (schema: object) => ({ output_config: { format: { type: 'json_schema', schema } } });
    const schema = { type: 'object', title: 'Town', description: 'A town.' };
    expect(decode(format(schema)).responseFormat).toEqual({
      kind: 'json-schema',
      name: 'Town',
      schema,
      description: 'A town.',
    });
    expect(decode(format({ title: 'A town!' })).responseFormat).toMatchObject({ name: 'answer' });
  });

  it('P6: decodeRequest reads the end user', () => {
    expect(decode({ metadata: { user_id: 'u-1', task_id: 4 } }).endUser).toBe('u-1');
  });

  it('G10: decodeRequest lists each Anthropic-only feature once as an extension', () => {
    const cached = { ...text('x'), cache_control: { type: 'ephemeral' } };
    const cited = { ...cached, citations: { enabled: true } };
    expect(
      decode({
        system: [cached],
        messages: [{ role: 'user', content: [cited, cited] }],
        tools: [{ name: 'a', input_schema: {}, defer_loading: true, cache_control: {} }],
        service_tier: 'auto',
        container: null,
        output_config: { effort: 'low', task_budget: { total: 5 } },
      }).extensions,
    ).toEqual([
      'messages.content.citations',
      'tools.defer_loading',
      'service_tier',
      'output_config.task_budget',
    ]);
  });

  it('decodeRequest reads cache control inside a tool result', () => {
    const content = [{ ...text('x'), cache_control: { ttl: '1h' } }];
    const { messages, extensions } = decode(userContent({ type: 'tool_result', tool_use_id: 't', content }));
    expect(messages[0]?.parts).toMatchObject([{ parts: [{ text: 'x', cacheMark: { ttl: '1h' } }] }]);
    expect(extensions).toEqual([]);
  });

  it('G10: decodeRequest lists MCP servers as an extension', () => {
    const mcp_servers = [{ type: 'url', url: 'https://example.com' }];
    expect(decode({ mcp_servers }).extensions).toEqual(['mcp_servers']);
  });

  it('P4: decodeRequest uses the effort of the latest system turn', () => {
    const turn = (output_config: object) => ({ role: 'system', content: 'Mind it.', output_config });
    const decoded = decode({
      messages: [turn({ effort: 'high' }), { role: 'user', content: 'q' }, turn({ effort: 'low', more: 1 })],
      output_config: { effort: 'medium' },
    });
    expect(decoded.reasoning).toEqual({ effort: 'low' });
    expect(decoded.extensions).toEqual(['messages.output_config.more']);
    expect(decode({ messages: [{ role: 'user', content: 'q', timing: {} }] }).extensions).toEqual([
      'messages.timing',
    ]);
  });

  it("decodeRequest does not list Sluice's own fields as extensions", () => {
    expect(decode({ task_id: 4, format: 'anthropic', stream: true }).extensions).toEqual([]);
  });
});
