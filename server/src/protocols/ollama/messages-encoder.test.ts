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

it('M1: encodeMessages keeps system messages at their position', () => {
  const hint: Message = { role: 'system', parts: [text('Be brief.'), text('Be kind.')] };
  expect(encode(hint, user('Hello'), hint).body.messages).toEqual([
    { role: 'system', content: 'Be brief.\nBe kind.' },
    { role: 'user', content: 'Hello' },
    { role: 'system', content: 'Be brief.\nBe kind.' },
  ]);
});

it('M4: encodeMessages joins the parts of a message into one text, because Ollama accepts no lists', () => {
  expect(encode(says(text('One.'), text('Two.'))).body.messages).toEqual([
    { role: 'user', content: 'One.\nTwo.' },
  ]);
});

it('M6: encodeMessages omits the name of a message with a warning', () => {
  const { body, warnings } = encode({ ...user('Hello'), name: 'ann' } as Message);
  expect(body.messages).toEqual([{ role: 'user', content: 'Hello' }]);
  expect(warnings).toEqual(['messages.name']);
});

describe('M7: reasoning of earlier turns', () => {
  it('encodeMessages sends reasoning with the text and the tool calls of its turn', () => {
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

  it('encodeMessages sends reasoning signed by another provider without its signature', () => {
    const signed = thought('Hm.', { signature: { protocol: 'anthropic-messages', value: 'sealed' } });
    const { body } = encode(user('Hello'), answers(signed, text('Yes.')));
    expect(body.messages[1]?.thinking).toBe('Hm.');
    expect(JSON.stringify(body)).not.toContain('sealed');
  });

  it('encodeMessages omits reasoning encrypted by another provider with a warning', () => {
    const hidden = thought('', { isRedacted: true, signature: { protocol: 'gemini', value: 'sealed' } });
    const { body, warnings } = encode(user('Hello'), answers(hidden));
    expect(body.messages.map(({ role }) => role)).toEqual(['user']);
    expect(warnings).toEqual(['reasoning of earlier turns']);
  });
});

describe('T5: tool call arguments', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['null', {}],
    ['[1]', { value: [1] }],
    ['{"a":', { invalid_arguments: '{"a":' }],
  ])('encodeMessages sends the arguments %j as an object', (json, input) => {
    const { messages } = encode(user('Hello'), answers(call('c1', json))).body;
    expect(messages[1]?.tool_calls?.[0]?.function.arguments).toEqual(input);
  });

  it('encodeMessages keeps the digits of long numbers in arguments', () => {
    const { body } = encode(user('Hello'), answers(call('c1', '{"id":12345678901234567890}')));
    expect(JSON.stringify(body)).toContain('{"id":12345678901234567890}');
  });
});

describe('T7: tool results', () => {
  it("encodeMessages sends tool results as separate messages with call ID and name before the user's content", () => {
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

  it('encodeMessages accepts an empty tool result of an unknown call', () => {
    const { name: _, ...nameless } = result('c9');
    expect(encode(says(nameless)).body.messages).toEqual([{ role: 'tool', tool_call_id: 'c9', content: '' }]);
  });

  it('encodeMessages sends documents in a tool result as text', () => {
    const { messages } = encode(says(result('c1', paper({ kind: 'text', text: 'rain' })))).body;
    expect(messages[0]?.content).toBe('facts.txt\n\nrain');
  });
});

it('T8: encodeMessages moves images of a tool result to a user message after it', () => {
  expect(encode(says(result('c1', picture))).body.messages).toEqual([
    { role: 'tool', tool_call_id: 'c1', tool_name: 'read', content: 'See the attachments below.' },
    { role: 'user', content: 'Attachments of the tool call c1:', images: ['iVBORw0KGgo='] },
  ]);
});

it('T9: encodeMessages marks a failed tool result in its text', () => {
  const failed = { ...result('c1', text('no such file')), isError: true };
  expect(encode(says(failed)).body.messages[0]?.content).toBe('Tool error: no such file');
});

describe('I1: images', () => {
  it('encodeMessages sends images as base64 without the data URL prefix', () => {
    expect(encode(says(text('What is it?'), picture, picture)).body.messages).toEqual([
      { role: 'user', content: 'What is it?', images: ['iVBORw0KGgo=', 'iVBORw0KGgo='] },
    ]);
  });

  it('encodeMessages rejects an image URL and suggests a data URL', () => {
    const source = { kind: 'url', url: 'https://example.com/cat.png' } as const;
    expect(problemOf({ type: 'image', source })).toEqual({
      code: 'invalid_request',
      param: 'messages',
      message: 'The provider of this model does not accept image URLs; send the image as a data URL.',
    });
  });

  it('encodeMessages rejects images referenced by file ID', () => {
    expect(problemOf({ type: 'image', source: { kind: 'file', fileId: 'file_1' } })).toMatchObject({
      param: 'messages',
    });
  });

  it.each([
    ['auto', []],
    ['high', ['detail']],
  ] as const)('I2: image detail %s yields the warnings %j', (detail, warnings) => {
    expect(encode(says({ ...picture, detail })).warnings).toEqual(warnings);
  });
});

describe('I5: documents', () => {
  it('encodeMessages sends a text document in the message after its name', () => {
    const { messages } = encode(says(text('Read this.'), paper({ kind: 'text', text: 'rain' }))).body;
    expect(messages).toEqual([{ role: 'user', content: 'Read this.\nfacts.txt\n\nrain' }]);
  });

  it.each<DocumentPart['source']>([
    { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0=' },
    { kind: 'url', url: 'https://example.com/a.pdf' },
    { kind: 'file', fileId: 'file_1' },
  ])('encodeMessages rejects a document source of kind $kind without text', (source) => {
    expect(problemOf(paper(source))).toMatchObject({ code: 'invalid_request', param: 'messages' });
  });
});

it('I5: encodeMessages rejects audio', () => {
  const source = { kind: 'data', mediaType: 'audio/wav', base64: 'AA==' } as const;
  expect(problemOf({ type: 'audio', source })).toMatchObject({ param: 'messages' });
});

it('F2: encodeMessages sends a refusal in the history as assistant text', () => {
  const { messages } = encode(user('Hello'), answers({ type: 'refusal', text: 'No.' })).body;
  expect(messages[1]).toEqual({ role: 'assistant', content: 'No.' });
});
