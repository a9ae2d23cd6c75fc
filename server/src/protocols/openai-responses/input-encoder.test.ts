import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, Signature, UserPart } from '../canonical/content.ts';
import type { Dialect } from '../canonical/request.ts';
import { encodeFor, encodingProblem, user } from './testing/exchange.ts';

const itemsOf = (...messages: Message[]) => encodeFor({ messages }).body.input;
const said = (...parts: AssistantPart[]) => encodeFor({ messages: [{ role: 'assistant', parts }] });
const asked = (...parts: UserPart[]) => itemsOf({ role: 'user', parts });
const call = (id: string, json = '{}'): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'read',
  arguments: json,
});
const result = (callId: string, ...parts: Extract<UserPart, { type: 'tool-result' }>['parts']): UserPart => ({
  type: 'tool-result',
  callId,
  name: 'read',
  parts,
  isError: false,
});
const text = (words: string) => ({ type: 'text' as const, text: words });

describe('M1: system text', () => {
  const system: Message = { role: 'system', parts: [text('Be brief.')] };

  it('encodeInput keeps the position of system text', () => {
    expect(itemsOf(user('a'), system, user('b')).map(({ role }) => role)).toEqual(['user', 'system', 'user']);
  });

  it('encodeInput writes system text as developer messages for reasoning models', () => {
    const { body } = encodeFor({ messages: [system] }, { isReasoningModel: true });
    expect(body.input).toEqual([{ role: 'developer', content: 'Be brief.' }]);
  });

  it('encodeInput keeps several parts of system text', () => {
    expect(itemsOf({ role: 'system', parts: [text('a'), text('b')] })).toEqual([
      {
        role: 'system',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
      },
    ]);
  });
});

describe('user messages', () => {
  it('encodeInput writes a single text as a string', () => {
    expect(asked(text('Hi'))).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it.each<[part: UserPart, expected: object]>([
    [
      { type: 'image', source: { kind: 'url', url: 'https://a.test/b' }, detail: 'low' },
      { type: 'input_image', image_url: 'https://a.test/b', detail: 'low' },
    ],
    [
      { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ],
    [
      { type: 'image', source: { kind: 'file', fileId: 'file_1' } },
      { type: 'input_image', file_id: 'file_1' },
    ],
    [
      { type: 'document', source: { kind: 'data', mediaType: 'application/pdf', base64: 'AAAA' } },
      { type: 'input_file', filename: 'document', file_data: 'data:application/pdf;base64,AAAA' },
    ],
    [
      { type: 'document', source: { kind: 'url', url: 'https://a.test/b.pdf' }, name: 'b.pdf' },
      { type: 'input_file', file_url: 'https://a.test/b.pdf', filename: 'b.pdf' },
    ],
    [
      { type: 'document', source: { kind: 'file', fileId: 'file_1' } },
      { type: 'input_file', file_id: 'file_1' },
    ],
    [
      { type: 'document', source: { kind: 'text', text: 'words' }, name: 'Title' },
      { type: 'input_text', text: 'Title\n\nwords' },
    ],
  ])('I1: encodeInput writes the part %j', (part, expected) => {
    expect(asked(part)).toEqual([{ role: 'user', content: [expected] }]);
  });

  it('encodeInput rejects audio', () => {
    const part: UserPart = {
      type: 'audio',
      source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'AAAA' },
    };
    expect(encodingProblem({ messages: [{ role: 'user', parts: [part] }] })).toMatchObject({
      code: 'invalid_request',
      param: 'messages',
    });
  });

  it('M6: encodeInput omits user names with a warning', () => {
    const { body, warnings } = encodeFor({ messages: [{ role: 'user', parts: [text('Hi')], name: 'Ann' }] });
    expect(body.input).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(warnings).toEqual(['messages.name']);
  });
});

describe('T7: tool results', () => {
  it("encodeInput writes results as separate items before the user's text", () => {
    expect(asked(result('c1', text('a')), result('c2', text('b')), text('And?'))).toEqual([
      { type: 'function_call_output', call_id: 'c1', output: 'a' },
      { type: 'function_call_output', call_id: 'c2', output: 'b' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('encodeInput writes an empty result as an empty text', () => {
    expect(asked(result('c1'))).toEqual([{ type: 'function_call_output', call_id: 'c1', output: '' }]);
  });

  it('T8: encodeInput keeps images in results', () => {
    const image = { type: 'image', source: { kind: 'url', url: 'https://a.test/b' } } as const;
    expect(asked(result('c1', text('See:'), image))).toEqual([
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'See:' },
          { type: 'input_image', image_url: 'https://a.test/b' },
        ],
      },
    ]);
  });

  it('T9: encodeInput marks failed results in their text', () => {
    const failed: UserPart = {
      type: 'tool-result',
      callId: 'c1',
      parts: [text('No such file')],
      isError: true,
    };
    expect(asked(failed)).toMatchObject([{ output: 'Tool error: No such file' }]);
  });
});

describe('T6: call ids', () => {
  const long = 'toolu_'.padEnd(65, 'x');

  it('encodeInput replaces ids that are too long, consistently for call and result in every turn', () => {
    const items = itemsOf(
      { role: 'assistant', parts: [call(long), call(`${long}y`), call('c1')] },
      { role: 'user', parts: [result(long), result(`${long}y`), result('c1')] },
    );
    const ids = items.map((item) => ('call_id' in item ? String(item.call_id) : ''));
    expect(ids.slice(0, 3)).toEqual(ids.slice(3));
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('c1');
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(64);
    expect(said(call(long)).body.input).toMatchObject([{ call_id: ids[0] }]);
  });

  it('encodeInput keeps ids of 64 characters', () => {
    const id = 'x'.repeat(64);
    expect(said(call(id)).body.input).toMatchObject([{ call_id: id }]);
  });
});

describe('R2: assistant turns', () => {
  const proof: Signature = { protocol: 'openai-responses', value: 'gAAA', id: 'rs_1' };
  const thought = (words: string, signature?: Signature): AssistantPart => ({
    type: 'reasoning',
    text: words,
    isRedacted: words === '',
    ...(signature && { signature }),
  });

  it('encodeInput keeps the order of assistant parts and joins consecutive texts', () => {
    const { body } = said(thought('', proof), text('a'), text('b'), call('c1', '{"a":1}'), text('c'));
    expect(body.input).toEqual([
      { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'output_text', text: 'b' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"a":1}' },
      { role: 'assistant', content: 'c' },
    ]);
  });

  it('encodeInput writes a refusal of the assistant', () => {
    expect(said({ type: 'refusal', text: 'No.' }).body.input).toEqual([
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]);
  });

  it('encodeInput writes nothing for an empty assistant turn', () => {
    expect(said(text('')).body.input).toEqual([]);
  });

  it('encodeInput writes items without their original ids', () => {
    expect(JSON.stringify(said(text('a'), call('c1')).body.input)).not.toContain('"id"');
  });

  describe('M7: reasoning', () => {
    it('encodeInput writes reasoning with its signature and summary', () => {
      const { body, warnings } = said(thought('I think', proof), text('a'));
      expect(body.input[0]).toEqual({
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'I think' }],
        encrypted_content: 'gAAA',
      });
      expect(warnings).toEqual([]);
    });

    it('encodeInput writes reasoning without an id if it had none', () => {
      const { body } = said(thought('', { protocol: 'openai-responses', value: 'gAAA' }), text('a'));
      expect(body.input[0]).toEqual({ type: 'reasoning', summary: [], encrypted_content: 'gAAA' });
    });

    it.each<[name: string, signature: Signature | undefined]>([
      ['has no signature', undefined],
      ["has another protocol's signature", { protocol: 'anthropic-messages', value: 'Erc=' }],
    ])('encodeInput leaves out reasoning that %s, with a warning', (_, signature) => {
      const { body, warnings } = said(thought('I think', signature), text('a'));
      expect(body.input).toEqual([{ role: 'assistant', content: 'a' }]);
      expect(warnings).toEqual(['reasoning of earlier turns']);
    });

    it('encodeInput writes reasoning as text for vendors that accept it', () => {
      const dialect: Dialect = { reasoningField: 'reasoning_content' };
      const messages: Message[] = [{ role: 'assistant', parts: [thought('I think'), text('a')] }];
      const { body, warnings } = encodeFor({ messages }, { dialect });
      expect(body.input[0]).toEqual({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'I think' }],
        content: [{ type: 'reasoning_text', text: 'I think' }],
      });
      expect(warnings).toEqual([]);
    });

    it('encodeInput leaves out reasoning without a following item, since OpenAI rejects it', () => {
      const { body, warnings } = said(text('a'), thought('', proof));
      expect(body.input).toEqual([{ role: 'assistant', content: 'a' }]);
      expect(warnings).toEqual(['reasoning of earlier turns']);
      expect(said(thought('', proof)).body.input).toEqual([]);
    });
  });
});
