import type { ProtocolId, Signature } from '../canonical/content.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';

const own: ProtocolId = 'anthropic-messages';

/** A signature as a thinking block carries it: Anthropic's as it is, another protocol's with the name of its maker. */
export function writeSignature(signature: Signature, signed: Exclude<Signed, 'redacted'>): string {
  return signature.protocol === own ? signature.value : writeCarriedSignature(signature, signed);
}

export function readSignature(
  text: string,
): { readonly signed: Signed; readonly signature: Signature } | null {
  if (text === '') return null;
  return (
    readCarriedSignature(text, own) ?? { signed: 'reasoning', signature: { protocol: own, value: text } }
  );
}

/** Whether another protocol has made it; one that nobody made is `''`. */
export function isForeignSignature(text: string): boolean {
  return readCarriedSignature(text, own) !== null;
}
