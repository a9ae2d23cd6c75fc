import type { ProtocolId, Signature } from '../canonical/content.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';

const own: ProtocolId = 'gemini';

/**
 * Placeholder that Google accepts instead of a signature for calls made by another model (Gemini API documentation,
 * thought signatures).
 */
export const uncheckedSignature = 'skip_thought_signature_validator';

/** Google's signatures are unchanged; those of other protocols are encoded as base64. */
export function writeSignature(signature: Signature, signed: Signed): string {
  return signature.protocol === own
    ? signature.value
    : Buffer.from(writeCarriedSignature(signature, signed)).toString('base64');
}

export interface ReadSignature {
  readonly signature: Signature;
  readonly isRedacted: boolean;
}

/** Returns `null` for an unsigned part. */
export function readSignature(text: string | null | undefined): ReadSignature | null {
  if (!text || text === uncheckedSignature) return null;
  const carried = readForeign(text);
  return carried
    ? { signature: carried.signature, isRedacted: carried.signed === 'redacted' }
    : { signature: { protocol: own, value: text }, isRedacted: false };
}

export function isForeignSignature(text: string): boolean {
  return text === uncheckedSignature || readForeign(text) !== null;
}

// Decodes only the start first, because signatures are long.
function readForeign(text: string) {
  if (!/^[a-z-]+:/.test(Buffer.from(text.slice(0, 28), 'base64').toString('latin1'))) return null;
  return readCarriedSignature(Buffer.from(text, 'base64').toString(), own);
}
