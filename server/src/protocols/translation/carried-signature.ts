import type { ProtocolId, Signature } from '../canonical/content.ts';

/** What a carried signature signs: reasoning that was shown or hidden, or a call. */
export type Signed = 'reasoning' | 'redacted' | 'call';

// No protocol's own signature has a colon: they are base64 or ids.
const carrier = /^([a-z-]+):(reasoning|redacted|call):([^:]*):(.*)$/s;
const makers: readonly ProtocolId[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'cohere',
  'ollama',
];

/** A signature for a caller whose protocol has a field for its own only: another's, with the name of its maker. */
export function writeCarriedSignature({ protocol, value, id }: Signature, signed: Signed): string {
  return `${protocol}:${signed}:${Buffer.from(id ?? '').toString('base64url')}:${value}`;
}

/** The signature of another protocol than `own` that a text carries; `null` for a text that carries none. */
export function readCarriedSignature(
  text: string,
  own: ProtocolId,
): { readonly signed: Signed; readonly signature: Signature } | null {
  const [, maker = '', signed = '', id = '', value = ''] = carrier.exec(text) ?? [];
  const protocol = makers.find((candidate) => candidate === maker && candidate !== own);
  if (protocol === undefined) return null;
  return {
    signed: signed === 'call' || signed === 'redacted' ? signed : 'reasoning',
    signature: { protocol, value, ...(id !== '' && { id: Buffer.from(id, 'base64url').toString() }) },
  };
}
