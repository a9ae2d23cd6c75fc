import { readText } from '#json/json-value.ts';
import type { ProtocolId, ReasoningPart, Signature } from '../canonical/content.ts';
import type { Dialect } from '../canonical/request.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';
import type { ReasoningItem } from './wire.ts';

const own: ProtocolId = 'openai-responses';

/**
 * Signatures of other protocols are sent in `encrypted_content` together with their maker's name, since clients send
 * this field back unchanged.
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

/** Reads a reasoning item of the history: reasoning, or the signature of the preceding call. */
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

/** Reasoning encrypted by OpenAI is a Fernet token, which always starts with these characters. */
const openaiToken = /^gAAAA/;

/**
 * Returns whether a vendor can decrypt reasoning. OpenAI only decrypts its own; other vendors decrypt all but
 * OpenAI's.
 */
export function isReadable(encrypted: string, dialect: Dialect | undefined): boolean {
  if (readCarriedSignature(encrypted, own) !== null) return false;
  if (dialect?.reasoningItems === 'of-any') return true;
  return dialect === undefined || openaiToken.test(encrypted) === (dialect.reasoningItems === 'of-openai');
}

/** Ids of items stored by OpenAI. OpenAI looks up an unsigned item by its id. */
const openaiId = /^rs_[0-9a-f]{40,}$/;
/** Reasoning ids that the gateway derives from a request id and the item's index. */
const ownId = /^rs_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_\d+$/;

/** Returns whether an input item is reasoning of another model, which the vendor could neither decrypt nor find. */
export function isForeignReasoning(
  { type, id, encrypted_content }: Readonly<Record<string, unknown>>,
  dialect: Dialect | undefined,
): boolean {
  if (type !== 'reasoning') return false;
  if (typeof encrypted_content === 'string' && encrypted_content !== '')
    return !isReadable(encrypted_content, dialect);
  const itemId = readText(id);
  if (dialect?.reasoningItems === 'of-openai') return !openaiId.test(itemId);
  return dialect?.reasoningItems === 'of-any' && ownId.test(itemId);
}
