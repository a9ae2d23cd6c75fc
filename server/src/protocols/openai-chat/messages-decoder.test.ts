import { describe, expect, it } from 'vitest';
import { parseRequest } from './read-request.ts';

const png = 'iVBORw0KGgoAAAANSUhEUg==';
const decode = (messages: object[]) => {
  const parsed = parseRequest(Buffer.from(JSON.stringify({ model: 'm', messages })));
  if (!parsed.ok) throw new Error(`the gateway refuses this: ${parsed.problem.message}`);
  return parsed.request.toCanonical();
};
const turnsOf = (...messages: object[]) => {
  const decoded = decode(messages);
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  return decoded.request.messages;
};
const problemOf = (...messages: object[]) => {
  const decoded = decode(messages);
  return decoded.ok ? null : decoded.problem;
};

const text = (words: string) => ({ type: 'text', text: words });
const user = (...parts: unknown[]) => ({ role: 'user', content: parts });
const call = (id: string, name: string, json = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: json },
});
const callPart = (id: string, name: string, json = '{}') => ({
  type: 'tool-call',
  id,
  name,
  arguments: json,
});
const result = (tool_call_id: string, content: unknown) => ({ role: 'tool', tool_call_id, content });
const resultPart = (callId: string, name: string, ...parts: object[]) => ({
  type: 'tool-result',
  callId,
  name,
  parts,
  isError: false,
});

describe('decodeMessages turns', () => {
  it('decodeMessages keeps the order of turns, including later system messages', () => {
    expect(
      turnsOf(
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
        { role: 'developer', content: 'be brief' },
        { role: 'user', content: 'go on' },
      ),
    ).toEqual([
      { role: 'system', parts: [text('be kind')] },
      { role: 'user', parts: [text('hi')] },
      { role: 'assistant', parts: [text('hello')] },
      { role: 'system', parts: [text('be brief')] },
      { role: 'user', parts: [text('go on')] },
    ]);
  });

  it('decodeMessages accepts lists of parts in every role', () => {
    const parts = [text('a'), text('b')];
    expect(
      turnsOf(
        { role: 'system', content: parts },
        { role: 'user', content: parts },
        { role: 'assistant', content: parts, tool_calls: [call('c1', 'f')] },
        result('c1', parts),
      ),
    ).toEqual([
      { role: 'system', parts },
      { role: 'user', parts },
      { role: 'assistant', parts: [...parts, callPart('c1', 'f')] },
      { role: 'user', parts: [resultPart('c1', 'f', ...parts)] },
    ]);
  });

  it('decodeMessages keeps the name of a user', () => {
    expect(turnsOf({ role: 'user', name: 'ada', content: 'hi' })).toEqual([
      { role: 'user', name: 'ada', parts: [text('hi')] },
    ]);
  });

  it.each([
    ['an empty system message', { role: 'system', content: '' }],
    ['an empty assistant message', { role: 'assistant', content: '' }],
    ['an assistant message without content', { role: 'assistant', content: null }],
    ['an assistant message with an empty list', { role: 'assistant', content: [] }],
    ['an empty user message', { role: 'user', content: [] }],
  ])('decodeMessages leaves out empty messages: %s', (_, message) => {
    expect(turnsOf({ role: 'user', content: 'hi' }, message)).toHaveLength(1);
  });

  it('decodeMessages keeps a user message with an empty text', () => {
    expect(turnsOf({ role: 'user', content: '' })).toEqual([{ role: 'user', parts: [text('')] }]);
  });
});

describe('decodeMessages calls and results', () => {
  it('decodeMessages combines consecutive results and the following user message into one turn', () => {
    expect(
      turnsOf(
        { role: 'assistant', content: null, tool_calls: [call('c1', 'f'), call('c2', 'g', '{"a":1}')] },
        result('c1', 'one'),
        result('c2', 'two'),
        { role: 'user', content: 'and?' },
      ),
    ).toEqual([
      { role: 'assistant', parts: [callPart('c1', 'f'), callPart('c2', 'g', '{"a":1}')] },
      {
        role: 'user',
        parts: [resultPart('c1', 'f', text('one')), resultPart('c2', 'g', text('two')), text('and?')],
      },
    ]);
  });

  it("decodeMessages keeps a named user's message separate from the results", () => {
    const turns = turnsOf({ role: 'assistant', tool_calls: [call('c1', 'f')] }, result('c1', 'one'), {
      role: 'user',
      name: 'ada',
      content: 'and?',
    });
    expect(turns.map(({ parts }) => parts.length)).toEqual([1, 1, 1]);
  });

  it('decodeMessages keeps results of different turns separate', () => {
    const turns = turnsOf(
      { role: 'assistant', tool_calls: [call('c1', 'f')] },
      result('c1', 'one'),
      { role: 'assistant', tool_calls: [call('c2', 'f')] },
      result('c2', 'two'),
    );
    expect(turns.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'user']);
  });

  it.each(['', ' ', 'null'])('decodeMessages reads the arguments "%s" as empty', (json) => {
    expect(turnsOf({ role: 'assistant', tool_calls: [call('c1', 'f', json)] })[0]?.parts).toEqual([
      callPart('c1', 'f', '{}'),
    ]);
  });

  it('decodeMessages keeps arguments that are not JSON as the model wrote them', () => {
    expect(turnsOf({ role: 'assistant', tool_calls: [call('c1', 'f', '{"a":')] })[0]?.parts).toEqual([
      callPart('c1', 'f', '{"a":'),
    ]);
  });

  it('decodeMessages keeps the name in a result of an unknown call', () => {
    const [turn] = turnsOf({ ...result('c9', 'one'), name: 'f' });
    expect(turn?.parts).toEqual([resultPart('c9', 'f', text('one'))]);
    expect(turnsOf(result('c9', 'one'))[0]?.parts[0]).not.toHaveProperty('name');
  });

  it('decodeMessages accepts images and files in results', () => {
    const [turn] = turnsOf(
      result('c1', [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'file', file: { file_id: 'file-1' } },
      ]),
    );
    expect(turn?.parts[0]).toMatchObject({
      parts: [
        { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png } },
        { type: 'document', source: { kind: 'file', fileId: 'file-1' } },
      ],
    });
  });

  it('decodeMessages matches legacy function results to the latest call of that name', () => {
    const said = (json: string) => ({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: json },
    });
    const [first, one, second, two] = turnsOf(
      said('{"a":1}'),
      { role: 'function', name: 'f', content: 'one' },
      said('{"a":2}'),
      { role: 'function', name: 'f', content: 'two' },
    );
    const idOf = (part: unknown) =>
      (part as { id?: string; callId?: string }).id ?? (part as { callId: string }).callId; // safe because any other part fails the test
    expect(idOf(first?.parts[0])).toMatch(/^call_/);
    expect(idOf(one?.parts[0])).toBe(idOf(first?.parts[0]));
    expect(idOf(two?.parts[0])).toBe(idOf(second?.parts[0]));
    expect(idOf(first?.parts[0])).not.toBe(idOf(second?.parts[0]));
  });
});

describe('decodeMessages media', () => {
  it.each<[name: string, part: object, means: object]>([
    [
      'an image URL',
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' }, detail: 'high' },
    ],
    [
      'an image in its original size',
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'original' } },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' }, detail: 'high' },
    ],
    [
      'an image as data',
      { type: 'image_url', image_url: { url: `data:image/jpg;base64,${png.replace('==', '')}` } },
      { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png } },
    ],
    [
      'an image URL as a string, as Mistral accepts it',
      { type: 'image_url', image_url: 'https://example.com/a.png' },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      'WAV audio',
      { type: 'input_audio', input_audio: { data: 'UklGRg', format: 'wav' } },
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/wav', base64: 'UklGRg==' } },
    ],
    [
      'MP3 audio',
      { type: 'input_audio', input_audio: { data: 'SUQz', format: 'MP3' } },
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'SUQz' } },
    ],
    [
      'a file as data',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
      {
        type: 'document',
        source: { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0x' },
        name: 'a.pdf',
      },
    ],
    [
      'a file URL, as OpenRouter accepts it',
      { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
      { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
    ],
    [
      'an uploaded file',
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'document', source: { kind: 'file', fileId: 'file-1' } },
    ],
    [
      'a document URL, as Mistral accepts it',
      { type: 'document_url', document_url: 'https://example.com/a.pdf' },
      { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
    ],
  ])('decodeMessages reads media: %s', (_, part, means) => {
    expect(turnsOf(user(text('look'), part))[0]?.parts).toEqual([text('look'), means]);
  });
});

describe('decodeMessages assistant messages', () => {
  it.each<[name: string, message: object, parts: object[]]>([
    ['a refusal', { content: null, refusal: 'no' }, [{ type: 'refusal', text: 'no' }]],
    [
      'a refusal as a part',
      { content: [{ type: 'refusal', refusal: 'no' }] },
      [{ type: 'refusal', text: 'no' }],
    ],
    [
      'reasoning without a signature',
      { content: 'yes', reasoning_content: 'hm' },
      [{ type: 'reasoning', text: 'hm', isRedacted: false }, text('yes')],
    ],
    [
      'reasoning in its alternative field',
      { content: 'yes', reasoning: 'hm' },
      [{ type: 'reasoning', text: 'hm', isRedacted: false }, text('yes')],
    ],
    [
      'reasoning in content parts, as Mistral sends it',
      {
        content: [
          {
            type: 'thinking',
            thinking: [
              { type: 'text', text: 'h' },
              { type: 'text', text: 'm' },
            ],
          },
          text('yes'),
        ],
      },
      [{ type: 'reasoning', text: 'hm', isRedacted: false }, text('yes')],
    ],
    [
      'reasoning with a signature, which takes precedence over the plain text',
      {
        content: 'yes',
        reasoning_content: 'hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 'c2ln', format: 'anthropic-claude-v1' },
        ],
      },
      [
        {
          type: 'reasoning',
          text: 'hm',
          isRedacted: false,
          signature: { protocol: 'anthropic-messages', value: 'c2ln' },
        },
        text('yes'),
      ],
    ],
    [
      'reasoning whose signature has no text',
      {
        content: 'yes',
        reasoning_content: 'hm',
        reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', format: 'anthropic-claude-v1' }],
      },
      [
        {
          type: 'reasoning',
          text: 'hm',
          isRedacted: false,
          signature: { protocol: 'anthropic-messages', value: 'c2ln' },
        },
        text('yes'),
      ],
    ],
    [
      'hidden reasoning next to visible text',
      {
        content: 'yes',
        reasoning_content: 'hm',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'ZW5j', format: 'google-gemini-v1' }],
      },
      [
        { type: 'reasoning', text: 'hm', isRedacted: false },
        { type: 'reasoning', text: '', isRedacted: true, signature: { protocol: 'gemini', value: 'ZW5j' } },
        text('yes'),
      ],
    ],
    [
      'a summary without a signature',
      {
        content: 'yes',
        reasoning_details: [{ type: 'reasoning.summary', summary: 'hm', format: 'openai-responses-v1' }],
      },
      [{ type: 'reasoning', text: 'hm', isRedacted: false }, text('yes')],
    ],
    [
      'reasoning in a vendor-specific format',
      {
        content: 'yes',
        reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: 'unknown', index: 0 }],
      },
      [
        {
          type: 'reasoning',
          text: 'hm',
          isRedacted: false,
          signature: {
            protocol: 'openai-chat',
            value: '{"format":"unknown","index":0,"type":"reasoning.text"}',
          },
        },
        text('yes'),
      ],
    ],
    [
      "a call with Google's signature",
      { tool_calls: [{ ...call('c1', 'f'), extra_content: { google: { thought_signature: 'c2ln' } } }] },
      [{ ...callPart('c1', 'f'), signature: { protocol: 'gemini', value: 'c2ln' } }],
    ],
    [
      "a call with a vendor's extra content",
      { tool_calls: [{ ...call('c1', 'f'), extra_content: { vendor: 1 } }] },
      [{ ...callPart('c1', 'f'), signature: { protocol: 'openai-chat', value: '{"vendor":1}' } }],
    ],
  ])('decodeMessages reads an assistant message: %s', (_, message, parts) => {
    expect(turnsOf({ role: 'assistant', ...message })[0]?.parts).toEqual(parts);
  });
});

describe('decodeMessages rejections', () => {
  it.each<[name: string, messages: object[], param: string]>([
    [
      'an unknown part',
      [user(text('a'), { type: 'video_url', video_url: {} })],
      'messages[0].content[1].type',
    ],
    ['a part without its field', [user({ type: 'image_url' })], 'messages[0].content[0].image_url'],
    [
      'an image that is not a URL',
      [user({ type: 'image_url', image_url: { url: 'cat.png' } })],
      'messages[0].content[0].image_url.url',
    ],
    [
      'a file without contents',
      [user({ type: 'file', file: { filename: 'a.pdf' } })],
      'messages[0].content[0].file.file_data',
    ],
    [
      'an image in a system message',
      [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a/b' } }] }],
      'messages[0].content',
    ],
    [
      'reasoning in a user message',
      [user({ type: 'thinking', thinking: [] })],
      'messages[0].content[0].type',
    ],
    [
      'audio in a tool result',
      [result('c1', [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }])],
      'messages[0].content',
    ],
    ['a result without a call id', [{ role: 'tool', content: 'one' }], 'messages[0].tool_call_id'],
    [
      'a function result without a call',
      [{ role: 'function', name: 'f', content: 'one' }],
      'messages[0].name',
    ],
    [
      'a call of an unknown type',
      [{ role: 'assistant', tool_calls: [{ id: 'c1', type: 'other' }] }],
      'messages[0].tool_calls[0].type',
    ],
    [
      'a custom call without a name',
      [{ role: 'assistant', tool_calls: [{ id: 'c1', type: 'custom', custom: {} }] }],
      'messages[0].tool_calls[0].custom.name',
    ],
    [
      'a call without an id',
      [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '' } }] }],
      'messages[0].tool_calls[0].id',
    ],
  ])('decodeMessages rejects untranslatable content with its path: %s', (_, messages, param) => {
    expect(problemOf(...messages)).toMatchObject({ code: 'invalid_request', param });
  });
});
