import type { ProtocolId, Signature } from '../canonical/content.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';

const own: ProtocolId = 'anthropic-messages';

/** Returns a signature as sent in a thinking block: Anthropic's unchanged, another protocol's with its name. */
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

/** Whether another protocol created the signature; `''` means unsigned. */
export function isForeignSignature(text: string): boolean {
  return readCarriedSignature(text, own) !== null;
}
