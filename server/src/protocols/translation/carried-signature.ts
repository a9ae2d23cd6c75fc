import type { ProtocolId, Signature } from '../canonical/content.ts';

/** The content that a carried signature signs: visible reasoning, hidden reasoning, the call before it, or the call after it. */
export type Signed = 'reasoning' | 'redacted' | 'call' | 'next-call';

// No protocol's own signature contains a colon: they are base64 or ids.
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

/** Encodes another protocol's signature, with its maker, for the signature field of the caller's protocol. */
export function writeCarriedSignature({ protocol, value, id }: Signature, signed: Signed): string {
  return `${protocol}:${signed}:${Buffer.from(id ?? '').toString('base64url')}:${value}`;
}

/** Reads a carried signature of a protocol other than `own`; returns `null` if the text does not contain one. */
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
