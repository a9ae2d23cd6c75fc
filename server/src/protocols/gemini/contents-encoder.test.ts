import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, ToolResultPart, UserPart } from '../canonical/content.ts';
import { uncheckedSignature } from './signature.ts';
import { encodeFor, encodingProblem, secondGeneration, thirdGeneration, user } from './testing/exchange.ts';

const assistant = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const asked = (...parts: UserPart[]): Message => ({ role: 'user', parts });
const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] });
const text = (value: string) => ({ type: 'text', text: value }) as const;
const call = (id: string, rest: Partial<Extract<AssistantPart, { type: 'tool-call' }>> = {}) =>
  ({ type: 'tool-call', id, name: 'f', arguments: '{}', ...rest }) as const;
const result = (callId: string, rest: Partial<ToolResultPart> = {}): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name: 'f',
  parts: [text('mild')],
  isError: false,
  ...rest,
});
const own = (value: string) => ({ protocol: 'gemini', value }) as const;
const foreign = { protocol: 'anthropic-messages', value: 'c2ln' } as const;

const encode = (messages: readonly Message[], model = secondGeneration) => encodeFor(model, { messages });
const contentsOf = (messages: readonly Message[], model = secondGeneration) =>
  encode(messages, model).body.contents;
const historyOf = (parts: AssistantPart[], model = secondGeneration) =>
  contentsOf([user('Go'), assistant(...parts), user('On')], model)[1]?.parts;
const image = { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } } as const;

describe('M1, M2, M3: turns', () => {
  it('encodeContents moves all system text to systemInstruction in order', () => {
    const { body } = encode([system('a'), user('b'), system('c'), assistant(text('d')), system('')]);
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'a' }, { text: 'c' }] });
    expect(body.contents.map(({ role }) => role)).toEqual(['user', 'model']);
  });

  it('encodeContents puts system text in the user turn if the model has no systemInstruction', () => {
    const { body } = encode([user('b'), system('a')], 'gemma-3-27b-it');
    expect(body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] }] });
  });

  it('encodeContents merges consecutive turns of the same role', () => {
    expect(contentsOf([user('a'), user('b'), assistant(text('c')), assistant(text('d')), user('e')])).toEqual(
      [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'c' }, { text: 'd' }] },
        { role: 'user', parts: [{ text: 'e' }] },
      ],
    );
  });

  it('encodeContents merges user turns around a system message', () => {
    expect(contentsOf([user('a'), system('s'), user('b')])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
    ]);
  });

  it('encodeContents inserts a user turn if the conversation does not start with one', () => {
    expect(contentsOf([assistant(text('a')), user('b')])[0]).toEqual({
      role: 'user',
      parts: [{ text: '…' }],
    });
    expect(contentsOf([system('a')])).toEqual([{ role: 'user', parts: [{ text: '…' }] }]);
    expect(contentsOf([])).toHaveLength(1);
  });

  it('encodeContents drops turns without content', () => {
    expect(contentsOf([user('a'), assistant(text('')), user(''), assistant()])).toEqual([
      { role: 'user', parts: [{ text: 'a' }] },
    ]);
  });

  it('M5: encodeContents keeps a prefilled model turn at the end', () => {
    expect(contentsOf([user('a'), assistant(text('{'))]).at(-1)).toEqual({
      role: 'model',
      parts: [{ text: '{' }],
    });
  });

  it('F2: encodeContents sends a refusal in the history as text', () => {
    expect(historyOf([{ type: 'refusal', text: 'No.' }])).toEqual([{ text: 'No.' }]);
  });
});

describe('I: images, documents, and audio', () => {
  const sent = (part: UserPart) => contentsOf([asked(part)])[0]?.parts[0];

  it.each<[string, UserPart, object]>([
    ['image', image, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    [
      'document',
      { type: 'document', source: { kind: 'data', mediaType: 'application/pdf', base64: 'AAAA' } },
      { inlineData: { mimeType: 'application/pdf', data: 'AAAA' } },
    ],
    [
      'audio',
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'AAAA' } },
      { inlineData: { mimeType: 'audio/mpeg', data: 'AAAA' } },
    ],
    [
      'text document with a name',
      { type: 'document', source: { kind: 'text', text: 'All.' }, name: 'Notes' },
      { text: 'Notes\n\nAll.' },
    ],
    [
      'text document without a name',
      { type: 'document', source: { kind: 'text', text: 'All.' } },
      { text: 'All.' },
    ],
    [
      'file at the Gemini API',
      {
        type: 'image',
        source: { kind: 'file', fileId: 'https://generativelanguage.googleapis.com/v1beta/files/a' },
      },
      { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } },
    ],
    [
      'file in a bucket',
      { type: 'image', source: { kind: 'url', url: 'gs://b/a.png' } },
      { fileData: { mimeType: 'image/png', fileUri: 'gs://b/a.png' } },
    ],
    [
      'Google Cloud Storage URL',
      { type: 'document', source: { kind: 'url', url: 'https://storage.googleapis.com/b/a.pdf' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://storage.googleapis.com/b/a.pdf' } },
    ],
    [
      'YouTube URL',
      { type: 'document', source: { kind: 'url', url: 'https://www.youtube.com/watch?v=a' } },
      { fileData: { fileUri: 'https://www.youtube.com/watch?v=a' } },
    ],
  ])('encodeContents encodes %s', (_kind, part, encoded) => {
    expect(sent(part)).toEqual(encoded);
  });

  it.each<[string, UserPart, RegExp]>([
    [
      'I1: image URL',
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
      /image URLs.*data URL/,
    ],
    [
      'document URL',
      { type: 'document', source: { kind: 'url', url: 'http://example.com/a.pdf' } },
      /document URLs/,
    ],
    [
      'audio URL',
      { type: 'audio', source: { kind: 'url', url: 'https://storage.example.com/a' } },
      /audio URLs/,
    ],
    [
      'image file of another provider',
      { type: 'image', source: { kind: 'file', fileId: 'file-abc' } },
      /file ids/,
    ],
    [
      'document file of another provider',
      { type: 'document', source: { kind: 'file', fileId: 'file_1' } },
      /file ids/,
    ],
  ])('encodeContents rejects %s', (_kind, part, words) => {
    const problem = encodingProblem(secondGeneration, { messages: [asked(part)] });
    expect(problem).toMatchObject({ code: 'invalid_request', param: 'messages' });
    expect(problem?.message).toMatch(words);
  });
});

describe('T7: tool results', () => {
  const answered = (results: readonly ToolResultPart[], model = secondGeneration) =>
    contentsOf([user('Go'), assistant(call('1'), call('2')), asked(...results)], model)[2]?.parts;

  it('encodeContents sends results in one user turn with name and ID', () => {
    expect(answered([result('1'), result('2')])).toEqual([
      { functionResponse: { id: '1', name: 'f', response: { output: 'mild' } } },
      { functionResponse: { id: '2', name: 'f', response: { output: 'mild' } } },
    ]);
  });

  it("encodeContents sends results before the user's other content", () => {
    const turn = contentsOf([user('Go'), assistant(call('1')), asked(text('And?'), result('1'))])[2];
    expect(turn?.parts.map((part) => Object.keys(part)[0])).toEqual(['functionResponse', 'text']);
  });

  it('encodeContents takes the name of a result from its call', () => {
    const { name: _name, ...nameless } = result('1');
    expect(answered([nameless])).toMatchObject([{ functionResponse: { name: 'f' } }]);
  });

  it('encodeContents rejects a result without name and call', () => {
    const { name: _name, ...nameless } = result('other');
    expect(encodingProblem(secondGeneration, { messages: [user('Go'), asked(nameless)] })).toMatchObject({
      param: 'messages',
    });
  });

  it.each<[string, Partial<ToolResultPart>, object]>([
    ['result with one text', { parts: [text('mild')] }, { output: 'mild' }],
    ['result with several texts', { parts: [text('a'), text('b')] }, { output: 'a\nb' }],
    ['result with a JSON object', { parts: [text('{"t": 15}')] }, { t: 15 }],
    ['result with a JSON list', { parts: [text('[1]')] }, { output: '[1]' }],
    ['result with invalid JSON', { parts: [text('{"t":')] }, { output: '{"t":' }],
    ['result with an empty object', { parts: [text('{}')] }, { output: '{}' }],
    [
      'result with an object that looks like a wrapper',
      { parts: [text('{"error":"x"}')] },
      { output: '{"error":"x"}' },
    ],
    ['result without parts', { parts: [] }, {}],
    ['failed result (T9)', { parts: [text('closed')], isError: true }, { error: 'closed' }],
    ['failed result without text', { parts: [], isError: true }, { error: '' }],
  ])('encodeContents sends a %s as an object', (_kind, rest, response) => {
    expect(answered([result('1', rest)])).toEqual([{ functionResponse: { id: '1', name: 'f', response } }]);
  });

  it.each([
    ['a reference', '{"$ref":"#/$defs/Config"}'],
    ['a nested reference', '{"a":[{"b":{"$ref":"x"}}]}'],
    ['definitions', '{"type":"object","$defs":{"a":{}}}'],
    ['a schema dialect', '{"$schema":"https://json-schema.org/draft/2020-12/schema"}'],
    ['a number that a double cannot hold', '{"ids":[12345678901234567890]}'],
  ])('encodeContents sends JSON text with %s as text', (_kind, json) => {
    const response = { output: json };
    expect(answered([result('1', { parts: [text(json)] })])).toEqual([
      { functionResponse: { id: '1', name: 'f', response } },
    ]);
  });

  it('T8: encodeContents sends images within a result to third-generation models', () => {
    expect(answered([result('1', { parts: [text('See'), image] })], thirdGeneration)).toEqual([
      {
        functionResponse: {
          id: '1',
          name: 'f',
          response: { output: 'See' },
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
      },
    ]);
  });

  it('T8: encodeContents sends images after the results to older models', () => {
    expect(answered([result('1', { parts: [image] }), result('2')])).toEqual([
      { functionResponse: { id: '1', name: 'f', response: { output: 'See the attachments below.' } } },
      { functionResponse: { id: '2', name: 'f', response: { output: 'mild' } } },
      { text: 'Attachments of the tool call 1:' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    ]);
  });

  it('encodeContents sends a text document after the results to second- and third-generation models', () => {
    const document = { type: 'document', source: { kind: 'text', text: 'All.' } } as const;
    for (const model of [secondGeneration, thirdGeneration])
      expect(answered([result('1', { parts: [document] })], model)?.slice(1)).toEqual([
        { text: 'Attachments of the tool call 1:' },
        { text: 'All.' },
      ]);
  });
});

describe('M7: reasoning of earlier turns', () => {
  it("encodeContents sends Google's signatures back on the parts they came with", () => {
    expect(
      historyOf([
        { type: 'reasoning', text: 'Hm', isRedacted: false, signature: own('YQ==') },
        text('Rome.'),
        { type: 'reasoning', text: '', isRedacted: true, signature: own('Yg==') },
        call('1', { signature: own('Yw==') }),
        call('2'),
      ]),
    ).toEqual([
      { text: 'Hm', thought: true, thoughtSignature: 'YQ==' },
      { text: 'Rome.', thoughtSignature: 'Yg==' },
      { functionCall: { id: '1', name: 'f', args: {} }, thoughtSignature: 'Yw==' },
      { functionCall: { id: '2', name: 'f', args: {} } },
    ]);
  });

  it('encodeContents attaches a signature that precedes the text to that text', () => {
    const hidden = { type: 'reasoning', text: '', isRedacted: true, signature: own('Yg==') } as const;
    const shown = { type: 'reasoning', text: 'Hm', isRedacted: false } as const;
    const signed = { text: 'Rome.', thoughtSignature: 'Yg==' };
    expect(historyOf([hidden, text('Rome.')])).toEqual([signed]);
    expect(historyOf([shown, hidden, text('Rome.'), call('1')])?.slice(0, 2)).toEqual([
      { text: 'Hm', thought: true },
      signed,
    ]);
  });

  it('encodeContents sends a signature without text on an empty text part', () => {
    const hidden = { type: 'reasoning', text: '', isRedacted: true, signature: own('Yg==') } as const;
    expect(historyOf([hidden, call('1')])?.[0]).toEqual({ text: '', thoughtSignature: 'Yg==' });
    expect(historyOf([text('a'), hidden, hidden])).toEqual([
      { text: 'a', thoughtSignature: 'Yg==' },
      { text: '', thoughtSignature: 'Yg==' },
    ]);
  });

  it('encodeContents sends unsigned reasoning back as a thought', () => {
    expect(historyOf([{ type: 'reasoning', text: 'Hm', isRedacted: false }, text('a')])).toEqual([
      { text: 'Hm', thought: true },
      { text: 'a' },
    ]);
  });

  it.each<[string, AssistantPart]>([
    [
      'reasoning signed by another provider',
      { type: 'reasoning', text: 'Hm', isRedacted: false, signature: foreign },
    ],
    [
      'redacted reasoning of another provider',
      { type: 'reasoning', text: '', isRedacted: true, signature: foreign },
    ],
    ['redacted reasoning without a signature', { type: 'reasoning', text: '', isRedacted: true }],
  ])('encodeContents omits %s with a warning', (_kind, part) => {
    const { body, warnings } = encode([user('Go'), assistant(part, text('a')), user('On')]);
    expect(body.contents[1]?.parts).toEqual([{ text: 'a' }]);
    expect(warnings).toEqual(['reasoning of earlier turns']);
  });

  it('encodeContents marks the first call as unchecked for third-generation models if Google did not sign it', () => {
    const signatures = (parts: AssistantPart[], model: string) =>
      historyOf(parts, model)?.map(({ thoughtSignature }) => thoughtSignature);
    const calls = [call('1', { signature: foreign }), call('2')];
    expect(signatures(calls, thirdGeneration)).toEqual([uncheckedSignature, undefined]);
    expect(signatures(calls, secondGeneration)).toEqual([undefined, undefined]);
    expect(signatures([text('a'), call('1')], 'gemini-pro-latest')).toEqual([undefined, uncheckedSignature]);
    expect(signatures([call('1', { signature: own('YQ==') }), call('2')], thirdGeneration)).toEqual([
      'YQ==',
      undefined,
    ]);
  });

  it("encodeContents drops another provider's signature of a call without a warning", () => {
    expect(
      encode([user('Go'), assistant(call('1', { signature: foreign })), asked(result('1'))]).warnings,
    ).toEqual([]);
  });

  it('T5: encodeContents wraps arguments that are not valid JSON', () => {
    expect(historyOf([call('1', { arguments: '{"a":' }), call('2', { arguments: '' })])).toMatchObject([
      { functionCall: { args: { invalid_arguments: '{"a":' } } },
      { functionCall: { args: {} } },
    ]);
  });
});
