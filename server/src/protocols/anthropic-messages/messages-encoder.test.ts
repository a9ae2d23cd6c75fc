import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, UserPart } from '../canonical/content.ts';
import { assistant, encodeFor, encodingProblem, system, user } from './testing/exchange.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;
const bodyOf = (messages: readonly Message[], model = 'claude-sonnet-4-5') =>
  encodeFor(model, { messages }).body;
const contentOf = (...parts: UserPart[]) => bodyOf([{ role: 'user', parts }]).messages[0]?.content;
const historyOf = (...parts: AssistantPart[]) =>
  bodyOf([user('a'), { role: 'assistant', parts }, user('b')]).messages[1]?.content;
const call = (id: string): AssistantPart => ({ type: 'tool-call', id, name: 'read', arguments: '{}' });
const result = (callId: string, ...parts: Extract<UserPart, { type: 'tool-result' }>['parts']): UserPart => ({
  type: 'tool-result',
  callId,
  parts,
  isError: false,
});

describe('system text for a provider', () => {
  it('M1: encodeMessages moves leading system messages to the system field in order', () => {
    const body = bodyOf([system('a'), { role: 'system', parts: [text('b'), text('c')] }, user('x')]);
    expect(body.system).toEqual([text('a'), text('b'), text('c')]);
    expect(body.messages).toEqual([{ role: 'user', content: [text('x')] }]);
  });

  it('M1: encodeMessages moves later system messages to the system field for models without system turns', () => {
    const body = bodyOf([system('a'), user('x'), system('b'), assistant('y'), system('c'), user('z')]);
    expect(body.system).toEqual([text('a'), text('b'), text('c')]);
    expect(body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('M1: encodeMessages keeps later system messages where the model accepts them', () => {
    const newest = 'claude-opus-4-8';
    const kept = bodyOf(
      [system('a'), user('x'), system('b'), assistant('y'), user('z'), system('c')],
      newest,
    );
    expect(kept.system).toEqual([text('a')]);
    expect(kept.messages.map(({ role }) => role)).toEqual(['user', 'system', 'assistant', 'user', 'system']);
    const hoisted = bodyOf([user('x'), assistant('y'), system('b'), user('z')], newest);
    expect(hoisted.system).toEqual([text('b')]);
    expect(hoisted.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('M1: encodeMessages merges consecutive system messages into one turn', () => {
    const body = bodyOf([user('x'), system('a'), system('b')], 'claude-opus-4-8');
    expect(body.messages.at(-1)).toEqual({ role: 'system', content: [text('a'), text('b')] });
  });

  it('encodeMessages omits the system field if all system text is blank', () => {
    expect(bodyOf([system(' \n'), user('x')])).not.toHaveProperty('system');
  });
});

describe('turns for a provider', () => {
  it('M2: encodeMessages merges consecutive turns of the same role', () => {
    expect(bodyOf([user('a'), user('b'), assistant('c'), assistant('d'), user('e')]).messages).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: [text('c'), text('d')] },
      { role: 'user', content: [text('e')] },
    ]);
  });

  it('M2: encodeMessages inserts a user turn first if the conversation starts with the assistant', () => {
    const { messages } = bodyOf([assistant('Welcome'), user('Hello')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [text('Welcome')] },
      { role: 'user', content: [text('Hello')] },
    ]);
  });

  it('M2: encodeMessages adds a user turn if the request has only system text', () => {
    const body = bodyOf([system('Say hello.')]);
    expect(body.system).toEqual([text('Say hello.')]);
    expect(body.messages.map(({ role }) => role)).toEqual(['user']);
  });

  it('M3: encodeMessages omits blank texts and turns without other content', () => {
    expect(contentOf({ type: 'text', text: ' \n' }, { type: 'text', text: 'a' })).toEqual([text('a')]);
    expect(bodyOf([user('a'), assistant(''), user('b')]).messages).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
    ]);
  });

  it('M3: encodeMessages keeps a blank last user turn, so that the previous response is not continued', () => {
    const { messages } = bodyOf([user('a'), assistant('b'), user(' ')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('M3, M5: encodeMessages keeps a prefilled response but trims its trailing white space', () => {
    expect(bodyOf([user('a'), assistant('{"town": \n')]).messages.at(-1)).toEqual({
      role: 'assistant',
      content: [text('{"town":')],
    });
    const earlier = bodyOf([user('a'), assistant('b '), user('c')]).messages[1];
    expect(earlier?.content).toEqual([text('b ')]);
  });

  it('M6: encodeMessages omits the name of a user with a warning', () => {
    const named = encodeFor('claude-sonnet-4-5', {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'a' }], name: 'Ada' }],
    });
    expect(named.warnings).toEqual(['messages.name']);
    expect(encodeFor('claude-sonnet-4-5').warnings).toEqual([]);
  });

  it('F2: encodeMessages sends a refusal in the history as assistant text', () => {
    expect(historyOf({ type: 'refusal', text: 'I will not.' })).toEqual([text('I will not.')]);
  });
});

describe('images and documents for a provider', () => {
  const data = (mediaType: string, base64 = 'AAAA') => ({ kind: 'data', mediaType, base64 }) as const;

  it('I1: encodeMessages sends images as base64 and as URLs', () => {
    expect(
      contentOf(
        { type: 'image', source: data('image/png') },
        { type: 'image', source: { kind: 'url', url: 'https://example.com/a' } },
      ),
    ).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a' } },
    ]);
  });

  it('I1: encodeRequest omits an image detail other than auto with a warning', () => {
    const warningsOf = (detail: 'auto' | 'high') =>
      encodeFor('claude-sonnet-4-5', {
        messages: [{ role: 'user', parts: [{ type: 'image', source: data('image/png'), detail }] }],
      }).warnings;
    expect(warningsOf('high')).toEqual(['detail']);
    expect(warningsOf('auto')).toEqual([]);
  });

  it('I5: encodeMessages sends PDFs unchanged and text documents as text', () => {
    expect(
      contentOf(
        { type: 'document', source: data('application/pdf'), name: 'Plan' },
        { type: 'document', source: data('text/markdown', Buffer.from('# Ä').toString('base64')) },
        { type: 'document', source: data('application/json', Buffer.from('{}').toString('base64')) },
        { type: 'document', source: { kind: 'text', text: 'words' } },
        { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
      ),
    ).toEqual([
      {
        type: 'document',
        title: 'Plan',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Ä' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '{}' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ]);
  });

  it.each<[string, UserPart]>([
    ['image/bmp', { type: 'image', source: data('image/bmp') }],
    ['application/zip', { type: 'document', source: data('application/zip') }],
    ['file-1', { type: 'document', source: { kind: 'file', fileId: 'file-1' } }],
    ['file-2', { type: 'image', source: { kind: 'file', fileId: 'file-2' } }],
    ['audio', { type: 'audio', source: data('audio/wav') }],
  ])('G10: encodeRequest rejects unsupported content and names it: %s', (name, part) => {
    const problem = encodingProblem('claude-sonnet-4-5', { messages: [{ role: 'user', parts: [part] }] });
    expect(problem).toMatchObject({ code: 'invalid_request', param: 'messages' });
    expect(problem?.message).toContain(name);
  });
});

describe('tool calls and results for a provider', () => {
  const inputOf = (json: string) => {
    const [block] = historyOf({ type: 'tool-call', id: 't', name: 'read', arguments: json }) ?? [];
    return JSON.stringify(block && 'input' in block ? block.input : undefined);
  };

  it.each([
    ['{"path":"a"}', '{"path":"a"}'],
    ['{"id":12345678901234567890}', '{"id":12345678901234567890}'],
    ['', '{}'],
    [' ', '{}'],
    ['null', '{}'],
    ['[1]', '{"value":[1]}'],
    ['12345678901234567890', '{"value":12345678901234567890}'],
    ['{"path":', '{"invalid_arguments":"{\\"path\\":"}'],
  ])('T5: encodeMessages sends the arguments %j as an object', (json, input) => {
    expect(inputOf(json)).toBe(input);
  });

  it('T6: encodeMessages maps foreign IDs of calls and results alike and keeps them distinct', () => {
    const ids = ['call_1', 'call:1', 'call.1', 'å', ''];
    const { messages } = bodyOf([
      user('a'),
      { role: 'assistant', parts: ids.map(call) },
      { role: 'user', parts: ids.map((id) => result(id)) },
    ]);
    const calls = messages[1]?.content.map((block) => ('id' in block ? block.id : null));
    expect(messages[2]?.content.map((block) => ('tool_use_id' in block ? block.tool_use_id : null))).toEqual(
      calls,
    );
    expect(new Set(calls).size).toBe(ids.length);
    expect(calls?.[0]).toBe('call_1');
    for (const id of calls ?? []) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it('T7: encodeMessages sends all results in the next user turn before its text', () => {
    const { messages } = bodyOf([
      user('a'),
      { role: 'assistant', parts: [call('t1'), call('t2')] },
      { role: 'user', parts: [result('t1', { type: 'text', text: 'one' })] },
      user('And?'),
      { role: 'user', parts: [result('t2', { type: 'text', text: 'two' })] },
    ]);
    expect(messages).toHaveLength(3);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 't1', content: [text('one')] },
      { type: 'tool_result', tool_use_id: 't2', content: [text('two')] },
      text('And?'),
    ]);
  });

  it('T7: encodeMessages keeps a result directly after its call despite system text in between', () => {
    const { messages } = bodyOf(
      [
        user('a'),
        { role: 'assistant', parts: [call('t1')] },
        system('quick'),
        { role: 'user', parts: [result('t1')] },
      ],
      'claude-opus-4-8',
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('T8: encodeMessages sends images in a tool result', () => {
    const picture = { type: 'image', source: { kind: 'url', url: 'https://example.com/a' } } as const;
    expect(contentOf(result('t1', picture))).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 't1',
        content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a' } }],
      },
    ]);
  });

  it('T9: encodeMessages marks failed tool results and omits empty content', () => {
    expect(
      contentOf({ type: 'tool-result', callId: 't', parts: [{ type: 'text', text: '' }], isError: true }),
    ).toEqual([{ type: 'tool_result', tool_use_id: 't', is_error: true }]);
  });
});

describe('reasoning of earlier turns for a provider', () => {
  const signed = (protocol: 'anthropic-messages' | 'gemini', isRedacted = false): AssistantPart => ({
    type: 'reasoning',
    text: isRedacted ? '' : 'hm',
    isRedacted,
    signature: { protocol, value: 'c2ln' },
  });
  const warningsOf = (...parts: AssistantPart[]) =>
    encodeFor('claude-sonnet-4-5', { messages: [user('a'), { role: 'assistant', parts }, user('b')] })
      .warnings;

  it("M7: encodeMessages sends Anthropic's reasoning back unchanged with its signature", () => {
    expect(historyOf(signed('anthropic-messages'), signed('anthropic-messages', true), call('t'))).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'c2ln' },
      { type: 'tool_use', id: 't', name: 'read', input: {} },
    ]);
    expect(warningsOf(signed('anthropic-messages'))).toEqual([]);
  });

  it.each<[string, AssistantPart]>([
    ['another provider', signed('gemini')],
    ['another provider, encrypted', signed('gemini', true)],
    ['nobody', { type: 'reasoning', text: 'hm', isRedacted: false }],
  ])('M7: encodeMessages omits reasoning signed by %s with a warning', (_name, part) => {
    expect(historyOf(part, { type: 'text', text: 'Yes.' })).toEqual([text('Yes.')]);
    expect(warningsOf(part, { type: 'text', text: 'Yes.' })).toEqual(['reasoning of earlier turns']);
  });

  it('M7: encodeMessages sends unsigned reasoning back to models that do not sign', () => {
    const unsigned: AssistantPart = { type: 'reasoning', text: 'hm', isRedacted: false };
    const { body, warnings } = encodeFor('kimi-k2', {
      messages: [user('a'), { role: 'assistant', parts: [unsigned, call('t'), signed('gemini')] }, user('b')],
    });
    expect(body.messages[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'tool_use' },
    ]);
    expect(warnings).toEqual(['reasoning of earlier turns']);
  });

  it("M7: encodeMessages omits another provider's signature of a tool call without a warning", () => {
    const signedCall = { ...call('t'), signature: { protocol: 'gemini', value: 'c2ln' } } as AssistantPart;
    expect(historyOf(signedCall)).toEqual([{ type: 'tool_use', id: 't', name: 'read', input: {} }]);
    expect(warningsOf(signedCall)).toEqual([]);
  });
});
