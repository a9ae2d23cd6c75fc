import type { ProtocolId } from '#protocols/canonical/content.ts';

/** `model` names a model if only some models of a vendor have the feature. */
export interface Feature {
  readonly name: string;
  readonly needsReasoning?: boolean;
  /** Absent if the protocol does not have the feature. */
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

export const plainRequests: Partial<Record<ProtocolId, Readonly<Record<string, unknown>>>> = {
  'openai-chat': { messages: [{ role: 'user', content: say }] },
  'openai-responses': { input: [{ role: 'user', content: say }] },
  'anthropic-messages': { max_tokens: 8_000, messages: [{ role: 'user', content: say }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: say }] }] },
};
