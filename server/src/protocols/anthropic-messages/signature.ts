import type { ProtocolId, Signature } from '../canonical/content.ts';

const own: ProtocolId = 'anthropic-messages';

/** What a signature that stands in a thinking block signs: that block's reasoning, or the call before it. */
export type Signed = 'reasoning' | 'call';

// No signature of Anthropic's has a colon: they are base64.
const foreign = /^([a-z-]+):(reasoning|call):([^:]*):(.*)$/s;
const others: readonly ProtocolId[] = ['openai-chat', 'openai-responses', 'gemini', 'cohere', 'ollama'];

/** A signature as a thinking block carries it: Anthropic's as it is, another protocol's with the name of its maker. */
export function writeSignature({ protocol, value, id }: Signature, signed: Signed): string {
  return protocol === own
    ? value
    : `${protocol}:${signed}:${Buffer.from(id ?? '').toString('base64url')}:${value}`;
}

export function readSignature(
  text: string,
): { readonly signed: Signed; readonly signature: Signature } | null {
  if (text === '') return null;
  const [, maker = '', signed, id = '', value = ''] = foreign.exec(text) ?? [];
  const protocol = others.find((candidate) => candidate === maker);
  if (protocol === undefined) return { signed: 'reasoning', signature: { protocol: own, value: text } };
  return {
    signed: signed === 'call' ? 'call' : 'reasoning',
    signature: { protocol, value, ...(id !== '' && { id: Buffer.from(id, 'base64url').toString() }) },
  };
}

/** Whether another protocol has made it; one that nobody made is `''`. */
export function isForeignSignature(text: string): boolean {
  const maker = readSignature(text)?.signature.protocol;
  return maker !== undefined && maker !== own;
}
