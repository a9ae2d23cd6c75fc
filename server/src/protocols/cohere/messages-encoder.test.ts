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
const paper = (name = 'facts.txt'): DocumentPart => ({
  type: 'document',
  source: { kind: 'text', text: `the text of ${name}` },
  name,
});

const encode = (messages: Message[], model?: string) => encodeWishes({ messages }, model);
const thinker = 'command-a-reasoning-08-2025';

describe('M1: system messages', () => {
  it('encodeMessages keeps system messages at their position', () => {
    const hint: Message = { role: 'system', parts: [text('Be brief.')] };
    const { messages } = encode([hint, user('Hello'), hint]).body;
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system']);
    expect(messages[0]?.content).toBe('Be brief.');
  });

  it('encodeMessages keeps the parts of a system message separate', () => {
    const { messages } = encode([
      { role: 'system', parts: [text('One.'), text('Two.')] },
      user('Hello'),
    ]).body;
    expect(messages[0]?.content).toEqual([text('One.'), text('Two.')]);
  });
});

describe('M3: assistant messages with only tool calls', () => {
  it('encodeMessages omits the content of an assistant message that has only tool calls', () => {
    const { messages } = encode([user('Hello'), answers(call('c1')), says(result('c1', text('done')))]).body;
    expect(messages[1]).toEqual({
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }],
    });
  });
});

describe('M6: message names', () => {
  it('encodeMessages omits the name of a message with a warning', () => {
    const { body, warnings } = encode([{ ...user('Hello'), name: 'ann' } as Message]);
    expect(body.messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(warnings).toEqual(['messages.name']);
  });
});

describe('M7: reasoning of earlier turns', () => {
  it('encodeMessages sends reasoning as thinking before the text if the model can think', () => {
    const { body, warnings } = encode([user('Hello'), answers(thought('Hm.'), text('Yes.'))], thinker);
    expect(body.messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.' }, text('Yes.')],
    });
    expect(warnings).toEqual([]);
  });

  it('encodeMessages sends reasoning as thinking with the tool calls if the model can think', () => {
    const { messages } = encode([user('Hello'), answers(thought('Hm.'), call('c1'))], thinker).body;
    expect(messages[1]).toMatchObject({
      content: [{ type: 'thinking', thinking: 'Hm.' }],
      tool_calls: [{ id: 'c1' }],
    });
    expect(messages[1]).not.toHaveProperty('tool_plan');
  });

  it('encodeMessages sends reasoning as tool_plan if the model cannot think', () => {
    const { body, warnings } = encode([
      user('Hello'),
      answers(thought('I will'), thought(' read.'), call('c1')),
    ]);
    expect(body.messages[1]).toMatchObject({ tool_plan: 'I will read.', tool_calls: [{ id: 'c1' }] });
    expect(body.messages[1]).not.toHaveProperty('content');
    expect(warnings).toEqual([]);
  });

  it('encodeMessages omits reasoning with a warning if the model cannot think and the turn has no tool calls', () => {
    const { body, warnings } = encode([user('Hello'), answers(thought('Hm.'), text('Yes.'))]);
    expect(body.messages[1]).toEqual({ role: 'assistant', content: [text('Yes.')] });
    expect(warnings).toEqual(['reasoning of earlier turns']);
  });

  it('encodeMessages omits reasoning encrypted by another provider with a warning', () => {
    const hidden = thought('', {
      isRedacted: true,
      signature: { protocol: 'anthropic-messages', value: 'sealed' },
    });
    const { body, warnings } = encode([user('Hello'), answers(hidden, text('Yes.'))], thinker);
    expect(body.messages[1]).toEqual({ role: 'assistant', content: [text('Yes.')] });
    expect(warnings).toEqual(['reasoning of earlier turns']);
    expect(JSON.stringify(body)).not.toContain('sealed');
  });

  it('encodeMessages omits a turn that would be empty without its reasoning', () => {
    const { messages } = encode([user('Hello'), answers(thought('Hm.')), user('Well?')]).body;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });
});

describe('T5: tool call arguments', () => {
  it.each(['{}', '{"id":12345678901234567890}', '{"a":'])(
    'encodeMessages sends %s unchanged as tool call arguments',
    (json) => {
      const { messages } = encode([user('Hello'), answers(call('c1', json))]).body;
      expect(messages[1]?.tool_calls).toMatchObject([{ function: { arguments: json } }]);
    },
  );
});

describe('T7: tool results', () => {
  it("encodeMessages sends tool results as separate messages in call order before the user's content", () => {
    const { messages } = encode([
      user('Hello'),
      answers(call('c1'), call('c2')),
      says(result('c1', text('one')), result('c2', text('two')), text('And now?')),
    ]).body;
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('encodeMessages keeps the parts of a tool result separate', () => {
    const { messages } = encode([answers(call('c1')), says(result('c1', text('one'), text('two')))]).body;
    expect(messages[1]?.content).toEqual([text('one'), text('two')]);
  });

  it('encodeMessages accepts an empty tool result', () => {
    const { messages } = encode([answers(call('c1')), says(result('c1'))]).body;
    expect(messages[1]).toEqual({ role: 'tool', tool_call_id: 'c1', content: '' });
  });

  it('encodeMessages sends documents in a tool result as document parts', () => {
    const { messages } = encode([answers(call('c1')), says(result('c1', paper(), text('one')))]).body;
    expect(messages[1]?.content).toEqual([
      { type: 'document', document: { data: { title: 'facts.txt', text: 'the text of facts.txt' } } },
      text('one'),
    ]);
  });
});

it('T8: encodeMessages moves images of a tool result to a user message after it', () => {
  const { messages } = encode([answers(call('c1')), says(result('c1', text('one'), picture))]).body;
  expect(messages.slice(1)).toEqual([
    { role: 'tool', tool_call_id: 'c1', content: 'one' },
    {
      role: 'user',
      content: [
        text('Attachments of the tool call c1:'),
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
  ]);
});

it('T9: encodeMessages marks a failed tool result in its text', () => {
  const failed = { ...result('c1', text('no such file')), isError: true };
  const { messages } = encode([answers(call('c1')), says(failed)]).body;
  expect(messages[1]).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'Tool error: no such file' });
});

describe('I1: images', () => {
  it('encodeMessages sends image bytes as a data URL with the requested detail', () => {
    const { messages } = encode([says(text('What is it?'), { ...picture, detail: 'low' })]).body;
    expect(messages[0]?.content).toEqual([
      text('What is it?'),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
    ]);
  });

  it('encodeMessages sends image URLs unchanged', () => {
    const url = 'https://example.com/cat.png';
    const { messages } = encode([says({ type: 'image', source: { kind: 'url', url } })]).body;
    expect(messages[0]?.content).toEqual([{ type: 'image_url', image_url: { url } }]);
  });

  it('encodeMessages rejects images referenced by file ID', () => {
    const messages = [says({ type: 'image', source: { kind: 'file', fileId: 'file_1' } })];
    expect(encodingProblem({ messages })).toMatchObject({ code: 'invalid_request', param: 'messages' });
  });
});

describe('documents', () => {
  it('encodeMessages moves documents to the documents field, numbered across all turns', () => {
    const { body } = encode([
      says(text('Read this.'), paper('a.txt')),
      answers(text('Done.')),
      says(paper('b.txt'), text('And this.')),
    ]);
    expect(body.documents).toEqual([
      { id: 'doc:0', data: { title: 'a.txt', text: 'the text of a.txt' } },
      { id: 'doc:1', data: { title: 'b.txt', text: 'the text of b.txt' } },
    ]);
    expect(body.messages[0]?.content).toBe('Read this.');
    expect(body.messages[2]?.content).toBe('And this.');
  });

  it('encodeMessages keeps documents in a turn that would be empty without them', () => {
    const { body } = encode([says(paper())]);
    expect(body).not.toHaveProperty('documents');
    expect(body.messages[0]?.content).toEqual([text('facts.txt\n\nthe text of facts.txt')]);
  });

  it('encodeMessages keeps documents in their turn if a response format is set', () => {
    const messages = [says(text('Read this.'), paper())];
    const { body } = encodeWishes({ messages, responseFormat: { kind: 'json' } });
    expect(body).not.toHaveProperty('documents');
    expect(body.messages[0]?.content).toEqual([
      text('Read this.'),
      text('facts.txt\n\nthe text of facts.txt'),
    ]);
  });

  it('encodeMessages decodes document bytes of a text media type', () => {
    const base64 = Buffer.from('a;b').toString('base64');
    const table: DocumentPart = { type: 'document', source: { kind: 'data', mediaType: 'text/csv', base64 } };
    expect(encode([says(text('Read this.'), table)]).body.documents).toEqual([
      { id: 'doc:0', data: { text: 'a;b' } },
    ]);
  });

  it.each<DocumentPart['source']>([
    { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0=' },
    { kind: 'url', url: 'https://example.com/a.pdf' },
    { kind: 'file', fileId: 'file_1' },
  ])('encodeMessages rejects a document source of kind $kind without text', (source) => {
    for (const parts of [[text('Read.')], []] as UserPart[][])
      expect(encodingProblem({ messages: [says(...parts, { type: 'document', source })] })).toMatchObject({
        code: 'invalid_request',
        param: 'messages',
        message: expect.stringContaining('text'),
      });
  });
});

it('I5: encodeMessages rejects audio', () => {
  const sound: UserPart = { type: 'audio', source: { kind: 'data', mediaType: 'audio/wav', base64: 'AA==' } };
  expect(encodingProblem({ messages: [says(sound)] })).toMatchObject({ param: 'messages' });
});

it('F2: encodeMessages sends a refusal in the history as assistant text', () => {
  const { messages } = encode([user('Hello'), answers({ type: 'refusal', text: 'No.' })]).body;
  expect(messages[1]).toEqual({ role: 'assistant', content: [text('No.')] });
});
