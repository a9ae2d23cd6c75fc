import type { ProtocolId, Signature } from '../canonical/content.ts';

/**
 * Content that a carried signature signs: visible reasoning, hidden reasoning, the preceding call, or the next call.
 */
export type Signed = 'reasoning' | 'redacted' | 'call' | 'next-call';

// Signatures of the protocols themselves contain no colon, since they are base64 or ids.
const carrier = /^([a-z-]+):(reasoning|redacted|call|next-call):([^:]*):(.*)$/s;
const kinds: readonly Signed[] = ['redacted', 'call', 'next-call'];
const makers: readonly ProtocolId[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'cohere',
  'ollama',
];

/** Encodes another protocol's signature, together with its maker, for the signature field of the caller's protocol. */
export function writeCarriedSignature({ protocol, value, id }: Signature, signed: Signed): string {
  return `${protocol}:${signed}:${Buffer.from(id ?? '').toString('base64url')}:${value}`;
}

/** Reads a carried signature of a protocol other than `own`; returns `null` if the text contains none. */
export function readCarriedSignature(
  text: string,
  own: ProtocolId,
): { readonly signed: Signed; readonly signature: Signature } | null {
  const [, maker = '', signed = '', id = '', value = ''] = carrier.exec(text) ?? [];
  const protocol = makers.find((candidate) => candidate === maker && candidate !== own);
  if (protocol === undefined) return null;
  return {
    signed: kinds.find((kind) => kind === signed) ?? 'reasoning',
    signature: { protocol, value, ...(id !== '' && { id: Buffer.from(id, 'base64url').toString() }) },
  };
}
