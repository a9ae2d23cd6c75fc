import { describe, expect, it } from 'vitest';
import type { UserPart } from '../canonical/content.ts';
import { writeSignature } from './signature.ts';
import { decode, decodeContents, decodingProblem } from './testing/exchange.ts';

const user = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const call = (name: string, rest: object = {}) => ({ functionCall: { name, args: {}, ...rest } });
const result = (name: string, response: object = {}, rest: object = {}) => ({
  functionResponse: { name, response, ...rest },
});
const askedParts = (...parts: object[]) =>
  (decodeContents(user(...parts))[0]?.parts ?? []) as readonly UserPart[]; // safe because this is a user turn
const saidParts = (...parts: object[]) => decodeContents(user({ text: 'Go' }), model(...parts))[1]?.parts;

describe('M1, M2: turns', () => {
  it('decodeContents maps the role model to assistant, and user or a missing role to user', () => {
    expect(decodeContents({ parts: [{ text: 'a' }] }, model({ text: 'b' }), user({ text: 'c' }))).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'b' }] },
      { role: 'user', parts: [{ type: 'text', text: 'c' }] },
    ]);
  });

  it('decodeContents merges consecutive contents of the same role', () => {
    const messages = decodeContents(
      user({ text: 'a' }),
      user({ text: 'b' }),
      model({ text: 'c' }),
      model({ text: 'd' }),
    );
    expect(messages).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'cd' }] },
    ]);
  });

  it('decodeContents maps the legacy role function to user', () => {
    const messages = decodeContents(user({ text: 'a' }), model(call('f')), {
      role: 'function',
      parts: [result('f')],
    });
    expect(messages[2]).toMatchObject({ role: 'user', parts: [{ type: 'tool-result' }] });
  });

  it('decodeContents drops turns without content', () => {
    expect(decodeContents(user(), user({ text: '' }), { role: 'model' }, user({ text: 'a' }))).toHaveLength(
      1,
    );
  });

  it('decodeContents rejects other roles with their param', () => {
    expect(decodingProblem({ contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] })).toMatchObject({
      code: 'invalid_request',
      param: 'contents[0].role',
    });
  });

  it.each([
    ['a list of parts', { parts: [{ text: 'Be' }, { text: 'brief.' }] }],
    ['a single part', { role: 'user', parts: { text: 'Be brief.' } }],
  ])('decodeContents puts the system instruction first if it is given as %s', (_kind, systemInstruction) => {
    const [system] = decode({ systemInstruction }).messages;
    expect(system?.role).toBe('system');
    expect(system?.parts.map((part) => ('text' in part ? part.text : '')).join(' ')).toBe('Be brief.');
    expect(decode({ system_instruction: systemInstruction }).messages[0]).toEqual(system);
  });

  it('decodeContents drops an empty system instruction', () => {
    for (const systemInstruction of [null, { parts: [] }, { parts: [{ text: '' }] }, {}])
      expect(decode({ systemInstruction }).messages.map(({ role }) => role)).toEqual(['user']);
  });

  it('decodeContents rejects a system instruction with parts other than text', () => {
    const systemInstruction = { parts: [{ text: 'a' }, { inlineData: { data: 'AAAA' } }] };
    expect(decodingProblem({ systemInstruction })).toMatchObject({ param: 'systemInstruction.parts[1]' });
  });
});

describe('I: images, documents, and audio', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';

  it.each([
    ['image', 'image/webp', 'image'],
    ['document', 'application/pdf', 'document'],
    ['text file', 'text/csv', 'document'],
    ['audio', 'audio/mp3', 'audio'],
  ])(
    'decodeContents decodes inline data of the kind %s (%s) as a part of the type %s',
    (_kind, mimeType, type) => {
      expect(askedParts({ inlineData: { mimeType, data: 'AAAA' } })).toEqual([
        { type, source: { kind: 'data', mediaType: mimeType, base64: 'AAAA' } },
      ]);
    },
  );

  it('I2: decodeContents detects the type of an image from its bytes if the media type is missing or wrong', () => {
    for (const mimeType of [undefined, 'image/jpg', 'application/octet-stream'])
      expect(askedParts({ inline_data: { mime_type: mimeType, data: png } })).toEqual([
        { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png } },
      ]);
  });

  it('I3: decodeContents accepts base64url without padding', () => {
    expect(askedParts({ inlineData: { mimeType: 'image/webp', data: '_-8' } })).toEqual([
      { type: 'image', source: { kind: 'data', mediaType: 'image/webp', base64: '/+8=' } },
    ]);
  });

  it.each([
    [
      'file at the Gemini API',
      'https://generativelanguage.googleapis.com/v1beta/files/abc',
      'image/png',
      {
        type: 'image',
        source: { kind: 'file', fileId: 'https://generativelanguage.googleapis.com/v1beta/files/abc' },
      },
    ],
    [
      'file in a bucket',
      'gs://bucket/a.mp3',
      'audio/mpeg',
      { type: 'audio', source: { kind: 'file', fileId: 'gs://bucket/a.mp3' } },
    ],
    [
      'URL with a media type',
      'https://example.com/a',
      'application/pdf',
      { type: 'document', source: { kind: 'url', url: 'https://example.com/a' } },
    ],
    [
      'URL with only a file extension',
      'https://example.com/a.JPG?x=1',
      undefined,
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.JPG?x=1' } },
    ],
    [
      'URL of an unknown type',
      'https://example.com/a',
      undefined,
      { type: 'document', source: { kind: 'url', url: 'https://example.com/a' } },
    ],
  ])('decodeContents keeps the reference to a %s', (_kind, fileUri, mimeType, part) => {
    expect(askedParts({ fileData: { fileUri, mimeType } })).toEqual([part]);
    expect(askedParts({ file_data: { file_uri: fileUri, mime_type: mimeType } })).toEqual([part]);
  });

  it.each([
    ['inline video', { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }, 'inlineData'],
    ['video in a bucket', { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/a' } }, 'fileData'],
    ['video by its file extension', { fileData: { fileUri: 'https://example.com/a.mp4' } }, 'fileData'],
    ['YouTube short URL', { fileData: { fileUri: 'https://youtu.be/abc' } }, 'fileData'],
    ['YouTube mobile URL', { fileData: { fileUri: 'https://m.youtube.com/watch?v=abc' } }, 'fileData'],
  ])('decodeContents rejects %s with its param', (_kind, part, field) => {
    expect(decodingProblem({ contents: [user({ text: 'a' }, part)] })).toMatchObject({
      code: 'invalid_request',
      param: `contents[0].parts[1].${field}`,
    });
  });

  it('decodeContents omits the media resolution of an image part with a warning', () => {
    const part = { inlineData: { mimeType: 'image/webp', data: 'AAAA' }, mediaResolution: { level: 'HIGH' } };
    expect(decode({ contents: [user(part)] }).extensions).toEqual(['contents.parts.mediaResolution']);
  });
});

describe('model turns', () => {
  it('T5: decodeContents returns arguments as JSON text', () => {
    expect(saidParts(call('f', { args: { a: [1, null], b: 'ü' } }), call('g', { args: null }))).toMatchObject(
      [
        { type: 'tool-call', name: 'f', arguments: '{"a":[1,null],"b":"ü"}' },
        { type: 'tool-call', name: 'g', arguments: '{}' },
      ],
    );
  });

  it('G4: decodeContents returns thoughts as reasoning and joins consecutive pieces', () => {
    expect(
      saidParts({ text: 'Let me ', thought: true }, { text: 'see.', thought: true }, { text: 'Rome.' }),
    ).toEqual([
      { type: 'reasoning', text: 'Let me see.', isRedacted: false },
      { type: 'text', text: 'Rome.' },
    ]);
  });

  it('M7: decodeContents assigns signatures to the part they were sent with', () => {
    const own = { protocol: 'gemini', value: 'c2ln' };
    expect(
      saidParts(
        { text: 'Hm.', thought: true, thoughtSignature: 'c2ln' },
        { text: 'Rome.', thought_signature: 'c2ln' },
        { ...call('f', { id: '1' }), thoughtSignature: 'c2ln' },
        call('g', { id: '2' }),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', isRedacted: false, signature: own },
      { type: 'text', text: 'Rome.' },
      { type: 'reasoning', text: '', isRedacted: true, signature: own },
      { type: 'tool-call', id: '1', name: 'f', arguments: '{}', signature: own },
      { type: 'tool-call', id: '2', name: 'g', arguments: '{}' },
    ]);
  });

  it('M7: decodeContents restores signatures of other protocols', () => {
    const made = { protocol: 'anthropic-messages', value: 'c2ln' } as const;
    expect(
      saidParts(
        { text: 'Hm.', thought: true },
        { text: '', thought: true, thoughtSignature: writeSignature(made, 'reasoning') },
        { text: '', thought: true, thoughtSignature: writeSignature(made, 'redacted') },
        { ...call('f', { id: '1' }), thoughtSignature: writeSignature(made, 'call') },
      ),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', isRedacted: false, signature: made },
      { type: 'reasoning', text: '', isRedacted: true, signature: made },
      { type: 'tool-call', id: '1', name: 'f', arguments: '{}', signature: made },
    ]);
  });

  it('decodeContents ignores the placeholder for an unchecked signature', () => {
    const [part] = saidParts({ ...call('f'), thoughtSignature: 'skip_thought_signature_validator' }) ?? [];
    expect(part).not.toHaveProperty('signature');
  });

  it.each([
    ['executableCode', { executableCode: { language: 'PYTHON', code: '1' }, thoughtSignature: 'c2ln' }],
    ['codeExecutionResult', { codeExecutionResult: { outcome: 'OUTCOME_OK' } }],
    ['toolCall', { toolCall: { id: 't' }, thoughtSignature: 'c2ln' }],
    ['inlineData', { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }],
  ])('T10: decodeContents omits %s with a warning', (name, part) => {
    const { messages, extensions } = decode({
      contents: [user({ text: 'Go' }), model(part, { text: 'Done.' })],
    });
    expect(messages[1]?.parts).toEqual([{ type: 'text', text: 'Done.' }]);
    expect(extensions).toEqual([name]);
  });

  it("T10: decodeContents rejects parts of Google's tools in a user turn with their param", () => {
    const contents = [user({ text: 'Go' }, { executableCode: { code: '1' } })];
    expect(decodingProblem({ contents })).toMatchObject({ param: 'contents[0].parts[1].executableCode' });
  });

  it('decodeContents drops empty parts', () => {
    expect(askedParts({}, { text: 'a' })).toEqual([{ type: 'text', text: 'a' }]);
    expect(saidParts({}, { text: 'a' })).toEqual([{ type: 'text', text: 'a' }]);
  });
});

describe('T6, T7: tool calls and results', () => {
  const pairs = (...contents: object[]) => {
    const messages = decodeContents(user({ text: 'Go' }), ...contents);
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
    const results = messages.flatMap((message) => (message.role === 'user' ? message.parts : []));
    return {
      calls: calls.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
      results: results.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
    };
  };

  it('decodeContents pairs calls and results by ID', () => {
    expect(
      pairs(
        model(call('f', { id: 'a' }), call('f', { id: 'b' })),
        user(result('f', {}, { id: 'b' }), result('f', {}, { id: 'a' })),
      ),
    ).toEqual({ calls: ['a', 'b'], results: ['b', 'a'] });
  });

  it('decodeContents pairs calls and results by name and order if they have no IDs', () => {
    const { calls, results } = pairs(
      model(call('f'), call('g'), call('f')),
      user(result('g'), result('f'), result('f')),
    );
    expect(new Set(calls).size).toBe(3);
    expect(results).toEqual([calls[1], calls[0], calls[2]]);
  });

  it('decodeContents pairs calls and results across turns', () => {
    const { calls, results } = pairs(
      model(call('f')),
      user(result('f')),
      model(call('f')),
      user(result('f')),
    );
    expect(new Set(calls).size).toBe(2);
    expect(results).toEqual(calls);
  });

  it('decodeContents generates the same IDs when the conversation continues', () => {
    const loop = [model(call('f')), user(result('f'))];
    const before = pairs(...loop);
    const after = pairs(...loop, model({ text: 'Done.' }), user({ text: 'More' }));
    expect(after).toEqual(before);
  });

  it('decodeContents pairs a call and a result by name if only one of them has an ID', () => {
    expect(pairs(model(call('f', { id: 'a' })), user(result('f')))).toEqual({ calls: ['a'], results: ['a'] });
    const { calls, results } = pairs(model(call('f')), user(result('f', {}, { id: 'x' })));
    expect(results).toEqual(calls);
  });

  it('decodeContents keeps the ID of a result without a call', () => {
    expect(pairs(user(result('f', {}, { id: 'x' })))).toEqual({ calls: [], results: ['x'] });
  });

  it('decodeContents rejects a result that has neither an id nor a matching call, and reports its param', () => {
    expect(decodingProblem({ contents: [user({ text: 'Go' }), user(result('f'))] })).toMatchObject({
      param: 'contents[1].parts[0].functionResponse.name',
    });
  });

  it("decodeContents puts results before the user's other content", () => {
    const [, , turn] = decodeContents(
      user({ text: 'Go' }),
      model(call('f')),
      user({ text: 'See:' }, result('f')),
    );
    expect(turn?.parts.map(({ type }) => type)).toEqual(['tool-result', 'text']);
  });

  it.each([
    ['one field', { a: 1 }, '{"a":1}', false],
    ['several fields', { output: 'x', more: 1 }, '{"output":"x","more":1}', false],
    ['an output', { output: 'mild' }, 'mild', false],
    ['a result', { result: 'mild' }, 'mild', false],
    ['an output that is an object', { output: { a: 1 } }, '{"a":1}', false],
    ['a result that is a number', { result: 42 }, '42', false],
    ['an error (T9)', { error: 'closed' }, 'closed', true],
    ['an error that is an object (T9)', { error: { code: 1 } }, '{"code":1}', true],
    ['an error and other fields', { error: 'e', code: 1 }, '{"error":"e","code":1}', false],
  ])('decodeContents reads a function response with %s as text', (_kind, response, text, isError) => {
    const [, , turn] = decodeContents(user({ text: 'Go' }), model(call('f')), user(result('f', response)));
    expect(turn?.parts).toMatchObject([{ name: 'f', parts: [{ type: 'text', text }], isError }]);
  });

  it('T8: decodeContents reads images and documents in a result', () => {
    const parts = [
      { inlineData: { mimeType: 'image/webp', data: 'AAAA' } },
      { file_data: { file_uri: 'gs://b/a.pdf', mime_type: 'application/pdf' } },
    ];
    const [, , turn] = decodeContents(
      user({ text: 'Go' }),
      model(call('f')),
      user(result('f', {}, { parts })),
    );
    expect(turn?.parts).toMatchObject([{ parts: [{ type: 'image' }, { type: 'document' }] }]);
  });

  it.each([
    ['audio', { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }, ''],
    ['an empty part', {}, ''],
    ['a video', { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/a' } }, '.fileData'],
  ])('decodeContents rejects a function response with %s', (_kind, part, field) => {
    const contents = [user({ text: 'Go' }), model(call('f')), user(result('f', {}, { parts: [part] }))];
    expect(decodingProblem({ contents })).toMatchObject({
      param: `contents[2].parts[0].functionResponse.parts[0]${field}`,
    });
  });
});
