import type { ProtocolId } from '#protocols/canonical/content.ts';

/** What is put into a caller's plainest request; `model` asks for a feature that only some models of a vendor have. */
export interface Feature {
  readonly name: string;
  readonly needsReasoning?: boolean;
  /** By the caller's protocol, the fields that ask for it; absent where the protocol has none. */
  readonly fields: Partial<Record<ProtocolId, Readonly<Record<string, unknown>>>>;
}

export const say = 'Hello';
export const png = 'iVBORw0KGgo=';
export const schema = {
  type: 'object',
  properties: { a: { type: 'integer' } },
  required: ['a'],
  additionalProperties: false,
};

/** The plainest request of each caller. */
export const plainRequests: Partial<Record<ProtocolId, Readonly<Record<string, unknown>>>> = {
  'openai-chat': { messages: [{ role: 'user', content: say }] },
  'openai-responses': { input: [{ role: 'user', content: say }] },
  'anthropic-messages': { max_tokens: 8_000, messages: [{ role: 'user', content: say }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: say }] }] },
};
