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
/** The parts of the model's turn that says this. */
const historyOf = (parts: AssistantPart[], model = secondGeneration) =>
  contentsOf([user('Go'), assistant(...parts), user('On')], model)[1]?.parts;
const image = { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } } as const;

describe('M1, M2, M3: turns', () => {
  it('all system text stands on top, in its order, wherever it was', () => {
    const { body } = encode([system('a'), user('b'), system('c'), assistant(text('d')), system('')]);
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'a' }, { text: 'c' }] });
    expect(body.contents.map(({ role }) => role)).toEqual(['user', 'model']);
  });

  it('the user says the system’s text to a model that has no place for it', () => {
    const { body } = encode([user('b'), system('a')], 'gemma-3-27b-it');
    expect(body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] }] });
  });

  it('of one speaker in a row are one', () => {
    expect(contentsOf([user('a'), user('b'), assistant(text('c')), assistant(text('d')), user('e')])).toEqual(
      [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'c' }, { text: 'd' }] },
        { role: 'user', parts: [{ text: 'e' }] },
      ],
    );
  });

  it('around a system message in the middle are one as well', () => {
    expect(contentsOf([user('a'), system('s'), user('b')])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
    ]);
  });

  it('begin with the user, who must say something', () => {
    expect(contentsOf([assistant(text('a')), user('b')])[0]).toEqual({
      role: 'user',
      parts: [{ text: '…' }],
    });
    expect(contentsOf([system('a')])).toEqual([{ role: 'user', parts: [{ text: '…' }] }]);
    expect(contentsOf([])).toHaveLength(1);
  });

  it('of nothing are none', () => {
    expect(contentsOf([user('a'), assistant(text('')), user(''), assistant()])).toEqual([
      { role: 'user', parts: [{ text: 'a' }] },
    ]);
  });

  it('M5: the model’s last words may come last', () => {
    expect(contentsOf([user('a'), assistant(text('{'))]).at(-1)).toEqual({
      role: 'model',
      parts: [{ text: '{' }],
    });
  });

  it('F2: a refusal of an earlier turn is text', () => {
    expect(historyOf([{ type: 'refusal', text: 'No.' }])).toEqual([{ text: 'No.' }]);
  });
});

describe('I: pictures, documents and sounds', () => {
  const sent = (part: UserPart) => contentsOf([asked(part)])[0]?.parts[0];

  it.each<[string, UserPart, object]>([
    ['a picture', image, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    [
      'a document',
      { type: 'document', source: { kind: 'data', mediaType: 'application/pdf', base64: 'AAAA' } },
      { inlineData: { mimeType: 'application/pdf', data: 'AAAA' } },
    ],
    [
      'a sound',
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'AAAA' } },
      { inlineData: { mimeType: 'audio/mpeg', data: 'AAAA' } },
    ],
    [
      'a text with its name',
      { type: 'document', source: { kind: 'text', text: 'All.' }, name: 'Notes' },
      { text: 'Notes\n\nAll.' },
    ],
    ['a text without', { type: 'document', source: { kind: 'text', text: 'All.' } }, { text: 'All.' }],
    [
      'a file of Google’s',
      {
        type: 'image',
        source: { kind: 'file', fileId: 'https://generativelanguage.googleapis.com/v1beta/files/a' },
      },
      { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } },
    ],
    [
      'a file in a bucket',
      { type: 'image', source: { kind: 'url', url: 'gs://b/a.png' } },
      { fileData: { mimeType: 'image/png', fileUri: 'gs://b/a.png' } },
    ],
    [
      'an address that Google reads',
      { type: 'document', source: { kind: 'url', url: 'https://storage.googleapis.com/b/a.pdf' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://storage.googleapis.com/b/a.pdf' } },
    ],
    [
      'a film that Google shows',
      { type: 'document', source: { kind: 'url', url: 'https://www.youtube.com/watch?v=a' } },
      { fileData: { fileUri: 'https://www.youtube.com/watch?v=a' } },
    ],
  ])('%s', (_kind, part, encoded) => {
    expect(sent(part)).toEqual(encoded);
  });

  it.each<[string, UserPart, RegExp]>([
    [
      'I1: a picture by its address',
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
      /image by its address.*data URL/,
    ],
    [
      'a document by its address',
      { type: 'document', source: { kind: 'url', url: 'http://example.com/a.pdf' } },
      /document by its address/,
    ],
    [
      'a sound by its address',
      { type: 'audio', source: { kind: 'url', url: 'https://storage.example.com/a' } },
      /sound by its address/,
    ],
    [
      'a file of another provider',
      { type: 'image', source: { kind: 'file', fileId: 'file-abc' } },
      /file's id/,
    ],
    [
      'a document of another provider',
      { type: 'document', source: { kind: 'file', fileId: 'file_1' } },
      /file's id/,
    ],
  ])('%s is refused', (_kind, part, words) => {
    const problem = encodingProblem(secondGeneration, { messages: [asked(part)] });
    expect(problem).toMatchObject({ code: 'invalid_request', param: 'messages' });
    expect(problem?.message).toMatch(words);
  });
});

describe('T7: results of tools', () => {
  const answered = (results: readonly ToolResultPart[], model = secondGeneration) =>
    contentsOf([user('Go'), assistant(call('1'), call('2')), asked(...results)], model)[2]?.parts;

  it('stand in one turn of the user’s, by name and id', () => {
    expect(answered([result('1'), result('2')])).toEqual([
      { functionResponse: { id: '1', name: 'f', response: { output: 'mild' } } },
      { functionResponse: { id: '2', name: 'f', response: { output: 'mild' } } },
    ]);
  });

  it('stand before what the user says', () => {
    const turn = contentsOf([user('Go'), assistant(call('1')), asked(text('And?'), result('1'))])[2];
    expect(turn?.parts.map((part) => Object.keys(part)[0])).toEqual(['functionResponse', 'text']);
  });

  it('find their name by the call', () => {
    const { name: _name, ...nameless } = result('1');
    expect(answered([nameless])).toMatchObject([{ functionResponse: { name: 'f' } }]);
  });

  it('of no call are refused', () => {
    const { name: _name, ...nameless } = result('other');
    expect(encodingProblem(secondGeneration, { messages: [user('Go'), asked(nameless)] })).toMatchObject({
      param: 'messages',
    });
  });

  it.each<[string, Partial<ToolResultPart>, object]>([
    ['a text', { parts: [text('mild')] }, { output: 'mild' }],
    ['several texts', { parts: [text('a'), text('b')] }, { output: 'a\nb' }],
    ['an object in JSON', { parts: [text('{"t": 15}')] }, { t: 15 }],
    ['a list in JSON', { parts: [text('[1]')] }, { output: '[1]' }],
    ['something like JSON', { parts: [text('{"t":')] }, { output: '{"t":' }],
    ['an empty object', { parts: [text('{}')] }, { output: '{}' }],
    [
      'an object that would pass for a wrapped one',
      { parts: [text('{"error":"x"}')] },
      { output: '{"error":"x"}' },
    ],
    ['nothing', { parts: [] }, {}],
    ['T9: an error', { parts: [text('closed')], isError: true }, { error: 'closed' }],
    ['an error without words', { parts: [], isError: true }, { error: '' }],
  ])('%s is an object', (_kind, rest, response) => {
    expect(answered([result('1', rest)])).toEqual([{ functionResponse: { id: '1', name: 'f', response } }]);
  });

  it('keep the digits of long numbers', () => {
    const long = result('1', { parts: [text('{"id":12345678901234567890}')] });
    const encoded = JSON.stringify(encode([user('Go'), assistant(call('1')), asked(long)]).body);
    // The body is read again here, so only that it is an object of its own can be seen.
    expect(encoded).toContain('"response":{"id":1234567890123456');
  });

  it('T8: hold their pictures in the third generation', () => {
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

  it('T8: are followed by their pictures before it', () => {
    expect(answered([result('1', { parts: [image] }), result('2')])).toEqual([
      { functionResponse: { id: '1', name: 'f', response: { output: 'See the attachments below.' } } },
      { functionResponse: { id: '2', name: 'f', response: { output: 'mild' } } },
      { text: 'Attachments of the tool call 1:' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    ]);
  });

  it('a document of text follows them, in every generation', () => {
    const document = { type: 'document', source: { kind: 'text', text: 'All.' } } as const;
    expect(answered([result('1', { parts: [document] })], thirdGeneration)?.slice(1)).toEqual([
      { text: 'Attachments of the tool call 1:' },
      { text: 'All.' },
    ]);
  });
});

describe('M7: reasoning of earlier turns', () => {
  it('Google’s own goes back as it came, on the part it came with', () => {
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

  it('that callers put before the text signs the text', () => {
    const hidden = { type: 'reasoning', text: '', isRedacted: true, signature: own('Yg==') } as const;
    const shown = { type: 'reasoning', text: 'Hm', isRedacted: false } as const;
    const signed = { text: 'Rome.', thoughtSignature: 'Yg==' };
    expect(historyOf([hidden, text('Rome.')])).toEqual([signed]);
    expect(historyOf([shown, hidden, text('Rome.'), call('1')])?.slice(0, 2)).toEqual([
      { text: 'Hm', thought: true },
      signed,
    ]);
  });

  it('that signs no text stands on an empty one', () => {
    const hidden = { type: 'reasoning', text: '', isRedacted: true, signature: own('Yg==') } as const;
    expect(historyOf([hidden, call('1')])?.[0]).toEqual({ text: '', thoughtSignature: 'Yg==' });
    expect(historyOf([text('a'), hidden, hidden])).toEqual([
      { text: 'a', thoughtSignature: 'Yg==' },
      { text: '', thoughtSignature: 'Yg==' },
    ]);
  });

  it('without a signature goes back as a thought', () => {
    expect(historyOf([{ type: 'reasoning', text: 'Hm', isRedacted: false }, text('a')])).toEqual([
      { text: 'Hm', thought: true },
      { text: 'a' },
    ]);
  });

  it.each<[string, AssistantPart]>([
    ['signed by another', { type: 'reasoning', text: 'Hm', isRedacted: false, signature: foreign }],
    ['hidden by another', { type: 'reasoning', text: '', isRedacted: true, signature: foreign }],
    ['hidden by nobody', { type: 'reasoning', text: '', isRedacted: true }],
  ])('%s is left out with a warning', (_kind, part) => {
    const { body, warnings } = encode([user('Go'), assistant(part, text('a')), user('On')]);
    expect(body.contents[1]?.parts).toEqual([{ text: 'a' }]);
    expect(warnings).toEqual(['reasoning of earlier turns']);
  });

  it('a first call that Google did not sign need not be checked in the third generation', () => {
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

  it('a call that another signed stays without a warning, since only its proof is lost', () => {
    expect(
      encode([user('Go'), assistant(call('1', { signature: foreign })), asked(result('1'))]).warnings,
    ).toEqual([]);
  });

  it('T5: arguments that are no JSON are wrapped', () => {
    expect(historyOf([call('1', { arguments: '{"a":' }), call('2', { arguments: '' })])).toMatchObject([
      { functionCall: { args: { invalid_arguments: '{"a":' } } },
      { functionCall: { args: {} } },
    ]);
  });
});
