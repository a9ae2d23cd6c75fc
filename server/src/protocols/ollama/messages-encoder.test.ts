import { describe, expect, it } from 'vitest';
import type {
  AssistantPart,
  DocumentPart,
  ImagePart,
  Message,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../canonical/content.ts';
import { encodeWishes, encodingProblem, user } from './testing/exchange.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;
const says = (...parts: UserPart[]): Message => ({ role: 'user', parts });
const answers = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const call = (id: string, json = '{"a":1}'): ToolCallPart => ({
  type: 'tool-call',
  id,
  name: 'read',
  arguments: json,
});
const result = (callId: string, ...parts: ToolResultPart['parts']): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name: 'read',
  parts,
  isError: false,
});
const thought = (value: string, rest: Partial<ReasoningPart> = {}): ReasoningPart => ({
  type: 'reasoning',
  text: value,
  isRedacted: false,
  ...rest,
});
const picture: ImagePart = {
  type: 'image',
  source: { kind: 'data', mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
};
const paper = (source: DocumentPart['source']): DocumentPart => ({
  type: 'document',
  source,
  name: 'facts.txt',
});

const encode = (...messages: Message[]) => encodeWishes({ messages });
const problemOf = (...parts: UserPart[]) => encodingProblem({ messages: [says(...parts)] });

it('M1: a system message is one of the conversation, wherever it stands', () => {
  const hint: Message = { role: 'system', parts: [text('Be brief.'), text('Be kind.')] };
  expect(encode(hint, user('Hello'), hint).body.messages).toEqual([
    { role: 'system', content: 'Be brief.\nBe kind.' },
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Be brief.\nBe kind.' },
  ]);
});

it('M4: parts of a message are one text, since Ollama takes no lists', () => {
  expect(encode(says(text('One.'), text('Two.'))).body.messages).toEqual([
    { role: 'user', content: 'One.\nTwo.' },
  ]);
});

it('M6: a name is left out, and said to be', () => {
  const { body, warnings } = encode({ ...user('Hello'), name: 'ann' } as Message);
  expect(body.messages).toEqual([{ role: 'user', content: 'Hello' }]);
  expect(warnings).toEqual(['messages.name']);
});

describe('M7: the reasoning of an earlier turn', () => {
  it('goes back beside the text and the calls it led to', () => {
    const { body, warnings } = encode(
      user('Hello'),
      answers(thought('Hm'), thought('.'), text('Yes.'), call('c1')),
    );
    expect(body.messages[1]).toEqual({
      role: 'assistant',
      content: 'Yes.',
      thinking: 'Hm.',
      tool_calls: [{ id: 'c1', function: { name: 'read', arguments: { a: 1 } } }],
    });
    expect(warnings).toEqual([]);
  });

  it('goes back as text, whoever has signed it', () => {
    const signed = thought('Hm.', { signature: { protocol: 'anthropic-messages', value: 'sealed' } });
    const { body } = encode(user('Hello'), answers(signed, text('Yes.')));
    expect(body.messages[1]?.thinking).toBe('Hm.');
    expect(JSON.stringify(body)).not.toContain('sealed');
  });

  it('is left out, and said to be, where another provider has encrypted it', () => {
    const hidden = thought('', { isRedacted: true, signature: { protocol: 'gemini', value: 'sealed' } });
    const { body, warnings } = encode(user('Hello'), answers(hidden));
    expect(body.messages.map(({ role }) => role)).toEqual(['user']);
    expect(warnings).toEqual(['reasoning of earlier turns']);
  });
});

describe('T5: arguments', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['null', {}],
    ['[1]', { value: [1] }],
    ['{"a":', { invalid_arguments: '{"a":' }],
  ])('%j are an object', (json, input) => {
    const { messages } = encode(user('Hello'), answers(call('c1', json))).body;
    expect(messages[1]?.tool_calls?.[0]?.function.arguments).toEqual(input);
  });

  it('keep the digits of long numbers', () => {
    const { body } = encode(user('Hello'), answers(call('c1', '{"id":12345678901234567890}')));
    expect(JSON.stringify(body)).toContain('{"id":12345678901234567890}');
  });
});

describe('T7: the results of tools', () => {
  it('are messages of their own, by id and by name, before what the user says', () => {
    const { messages } = encode(
      user('Hello'),
      answers(call('c1'), call('c2')),
      says(result('c1', text('one')), result('c2', text('two'), text('three')), text('And now?')),
    ).body;
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', tool_name: 'read', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', tool_name: 'read', content: 'two\nthree' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('may be empty, and of a call that is not there', () => {
    const { name: _, ...nameless } = result('c9');
    expect(encode(says(nameless)).body.messages).toEqual([{ role: 'tool', tool_call_id: 'c9', content: '' }]);
  });

  it('hold documents as text', () => {
    const { messages } = encode(says(result('c1', paper({ kind: 'text', text: 'rain' })))).body;
    expect(messages[0]?.content).toBe('facts.txt\n\nrain');
  });
});

it('T8: a picture in a result follows as what the user says', () => {
  expect(encode(says(result('c1', picture))).body.messages).toEqual([
    { role: 'tool', tool_call_id: 'c1', tool_name: 'read', content: 'See the attachments below.' },
    { role: 'user', content: 'Attachments of the tool call c1:', images: ['iVBORw0KGgo='] },
  ]);
});

it('T9: a result that is an error keeps its words', () => {
  const failed = { ...result('c1', text('no such file')), isError: true };
  expect(encode(says(failed)).body.messages[0]?.content).toBe('no such file');
});

describe('I1: a picture', () => {
  it('is its bytes in base64, without what a data URL says of them', () => {
    expect(encode(says(text('What is it?'), picture, picture)).body.messages).toEqual([
      { role: 'user', content: 'What is it?', images: ['iVBORw0KGgo=', 'iVBORw0KGgo='] },
    ]);
  });

  it('by its address is refused in words that ask for a data URL', () => {
    const source = { kind: 'url', url: 'https://example.com/cat.png' } as const;
    expect(problemOf({ type: 'image', source })).toEqual({
      code: 'invalid_request',
      param: 'messages',
      message: 'The provider of this model takes no image by its address; send it as a data URL.',
    });
  });

  it('by the id of a file that only another provider has is refused', () => {
    expect(problemOf({ type: 'image', source: { kind: 'file', fileId: 'file_1' } })).toMatchObject({
      param: 'messages',
    });
  });

  it.each([
    ['auto', []],
    ['high', ['detail']],
  ] as const)('I2: of %s detail warns of %j', (detail, warnings) => {
    expect(encode(says({ ...picture, detail })).warnings).toEqual(warnings);
  });
});

describe('I5: a document', () => {
  it('that is text stands in the message, under its name', () => {
    const { messages } = encode(says(text('Read this.'), paper({ kind: 'text', text: 'rain' }))).body;
    expect(messages).toEqual([{ role: 'user', content: 'Read this.\nfacts.txt\n\nrain' }]);
  });

  it.each<DocumentPart['source']>([
    { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0=' },
    { kind: 'url', url: 'https://example.com/a.pdf' },
    { kind: 'file', fileId: 'file_1' },
  ])('of kind $kind that is no text is refused', (source) => {
    expect(problemOf(paper(source))).toMatchObject({ code: 'invalid_request', param: 'messages' });
  });
});

it('I5: sound is refused', () => {
  const source = { kind: 'data', mediaType: 'audio/wav', base64: 'AA==' } as const;
  expect(problemOf({ type: 'audio', source })).toMatchObject({ param: 'messages' });
});

it('F2: a refusal in the history is what the assistant said', () => {
  const { messages } = encode(user('Hello'), answers({ type: 'refusal', text: 'No.' })).body;
  expect(messages[1]).toEqual({ role: 'assistant', content: 'No.' });
});
