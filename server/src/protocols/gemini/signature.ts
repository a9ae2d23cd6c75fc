import type { ProtocolId, Signature } from '../canonical/content.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';

const own: ProtocolId = 'gemini';

/** What Google takes in place of a signature where another model made the call (its notes on thought signatures). */
export const uncheckedSignature = 'skip_thought_signature_validator';

/** A signature as a part carries it: bytes, so another protocol's is wrapped once more. */
export function writeSignature(signature: Signature, signed: Signed): string {
  return signature.protocol === own
    ? signature.value
    : Buffer.from(writeCarriedSignature(signature, signed)).toString('base64');
}

export interface ReadSignature {
  readonly signature: Signature;
  readonly isRedacted: boolean;
}

/** Whose signature a part carries; `null` for nobody's. */
export function readSignature(text: string | null | undefined): ReadSignature | null {
  if (!text || text === uncheckedSignature) return null;
  const carried = readForeign(text);
  return carried
    ? { signature: carried.signature, isRedacted: carried.signed === 'redacted' }
    : { signature: { protocol: own, value: text }, isRedacted: false };
}

/** Whether it is none that Google has made. */
export function isForeignSignature(text: string): boolean {
  return text === uncheckedSignature || readForeign(text) !== null;
}

// Signatures are long, so most are told by their beginning.
function readForeign(text: string) {
  if (!/^[a-z-]+:/.test(Buffer.from(text.slice(0, 28), 'base64').toString('latin1'))) return null;
  return readCarriedSignature(Buffer.from(text, 'base64').toString(), own);
}
