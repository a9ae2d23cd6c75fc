import type { ProtocolId, ReasoningPart, Signature } from '../canonical/content.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';
import type { ReasoningItem } from './wire.ts';

const own: ProtocolId = 'openai-responses';

/**
 * Writes a reasoning item without its id. Signatures of other protocols are sent in `encrypted_content` with the name
 * of their maker: clients send it back unchanged.
 */
export function writeReasoningItem(text: string, signature: Signature | undefined, signed: Signed): object {
  const encrypted = signature && writeSignature(signature, signed);
  return {
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(encrypted && { encrypted_content: encrypted }),
  };
}

function writeSignature(signature: Signature, signed: Signed): string {
  return signature.protocol === own ? signature.value : writeCarriedSignature(signature, signed);
}

/** Reads a reasoning item of the history: reasoning, or the signature of the call before it. */
export function readReasoningItem(
  item: ReasoningItem,
): ReasoningPart | { readonly type: 'call-signature'; readonly signature: Signature } {
  const text = joinTexts(item.content) || joinTexts(item.summary);
  const encrypted = item.encrypted_content ?? '';
  if (encrypted === '') return { type: 'reasoning', text, isRedacted: false };
  const carried = readCarriedSignature(encrypted, own);
  if (carried?.signed === 'call') return { type: 'call-signature', signature: carried.signature };
  const signature = carried?.signature ?? {
    protocol: own,
    value: encrypted,
    ...(item.id != null && { id: item.id }),
  };
  const isRedacted = carried ? carried.signed === 'redacted' : text === '';
  return { type: 'reasoning', text, isRedacted, signature };
}

function joinTexts(texts: ReasoningItem['summary']): string {
  return (texts ?? []).map(({ text }) => text ?? '').join('\n\n');
}

/** Whether an input item is reasoning of another protocol, which OpenAI could not decrypt. */
export function isForeignReasoning({ type, encrypted_content }: Readonly<Record<string, unknown>>): boolean {
  return (
    type === 'reasoning' &&
    typeof encrypted_content === 'string' &&
    readCarriedSignature(encrypted_content, own) !== null
  );
}
