import { describe, expect, it } from 'vitest';
import { protocols } from '../registry.ts';

type CallerId = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

/** `field` is the content field of a message. */
const dialects: Readonly<
  Record<
    CallerId,
    { roles: readonly string[]; list: string; field: string; body: (messages: object[]) => object }
  >
> = {
  'openai-chat': {
    roles: ['user', 'system', 'developer'],
    list: 'messages',
    field: 'content',
    body: (messages) => ({ model: 'm', messages }),
  },
  'openai-responses': {
    roles: ['user', 'system', 'developer'],
    list: 'input',
    field: 'content',
    body: (input) => ({ model: 'm', input }),
  },
  'anthropic-messages': {
    roles: ['user', 'system'],
    list: 'messages',
    field: 'content',
    body: (messages) => ({ model: 'm', max_tokens: 9, messages }),
  },
  gemini: {
    roles: ['user'],
    list: 'contents',
    field: 'parts',
    body: (contents) => ({ contents }),
  },
};

const cases = Object.entries(dialects).flatMap(([id, { roles, ...dialect }]) =>
  roles.flatMap((role) =>
    [undefined, null].flatMap((content) =>
      // safe because the ids are the table's keys
      (id === 'openai-responses' ? [false, true] : [false]).map((isTyped) => ({
        id: id as CallerId,
        role,
        content,
        isTyped,
        ...dialect,
      })),
    ),
  ),
);

describe('messages without content', () => {
  it.each(cases)(
    'parseRequest of $id rejects a $role message whose content is $content (with a type: $isTyped)',
    ({ id, role, content, isTyped, list, field, body }) => {
      const said = { role: 'user', [field]: field === 'parts' ? [{ text: 'a' }] : 'a' };
      const message = { ...(isTyped && { type: 'message' }), role };
      const bytes = Buffer.from(
        JSON.stringify(body([said, { ...message, ...(content === null && { [field]: null }) }])),
      );
      const parsed = protocols[id].caller.parseRequest(bytes, { model: 'm', isStream: false });
      expect(parsed).toMatchObject({
        ok: false,
        problem: { code: 'invalid_request', param: `${list}[1].${field}` },
      });
    },
  );

  it.each(Object.entries(dialects))('parseRequest of %s accepts an empty text', (id, { body, field }) => {
    const said = { role: 'user', [field]: field === 'parts' ? [{ text: '' }] : '' };
    const parsed = protocols[id as CallerId].caller.parseRequest(Buffer.from(JSON.stringify(body([said]))), {
      model: 'm',
      isStream: false,
    }); // safe because the ids are the table's keys
    expect(parsed.ok).toBe(true);
  });

  it('parseRequest of openai-chat accepts an assistant message with tool calls and null content', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: null, tool_calls: calls },
    ];
    const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }));
    expect(protocols['openai-chat'].caller.parseRequest(bytes).ok).toBe(true);
  });
});
