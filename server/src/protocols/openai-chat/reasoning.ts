import type { ProtocolId, ReasoningPart, Signature } from '../canonical/content.ts';
import * as wire from './wire.ts';

/**
 * Reasoning is sent as text in `reasoning_content` and with its signatures in `reasoning_details`. The latter is
 * OpenRouter's format, in which `format` names the maker.
 */
const formats: Record<Exclude<ProtocolId, 'openai-chat'>, string> = {
  'anthropic-messages': 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
  'openai-responses': 'openai-responses-v1',
  cohere: 'cohere-v2',
  ollama: 'ollama',
};

const makers = new Map(Object.entries(formats).map(([maker, format]) => [format, maker as ProtocolId])); // safe because the record's type lists all protocols

export function writeDetail({ text, isRedacted, signature }: ReasoningPart, index: number): object {
  if (signature?.protocol === 'openai-chat') return restoreDetail(signature, text);
  const carried = signature && {
    ...(isRedacted ? { data: signature.value } : { signature: signature.value }),
    ...(signature.id !== undefined && { id: signature.id }),
    format: formats[signature.protocol],
  };
  const type = isRedacted ? 'reasoning.encrypted' : 'reasoning.text';
  return { type, ...(!isRedacted && { text }), ...carried, index };
}

const signsText: ReadonlySet<ProtocolId> = new Set(['openai-chat', 'anthropic-messages', 'gemini']);

/**
 * Returns whether a part is a valid OpenRouter entry. OpenRouter represents OpenAI's signature as an entry without
 * text.
 */
export function isNativeDetail({ isRedacted, signature }: ReasoningPart): boolean {
  return signature === undefined || isRedacted || signsText.has(signature.protocol);
}

/** Everything except the text is the entry's signature and must be sent back unchanged. */
export function readProviderDetail(detail: wire.ReasoningDetail): ReasoningPart {
  return { ...readText(detail), signature: keepDetail(detail) };
}

/** Reads an entry of a caller's history, which may be another protocol's signature that the gateway encoded. */
export function readCallerDetail(detail: wire.ReasoningDetail): ReasoningPart {
  const maker = makers.get(detail.format ?? '');
  const value = detail.signature ?? detail.data;
  if (maker === undefined) return readProviderDetail(detail);
  if (value == null) return readText(detail);
  const id = detail.id ?? undefined;
  return { ...readText(detail), signature: { protocol: maker, value, ...(id !== undefined && { id }) } };
}

export function readCallerReasoning(fields: wire.InputMessage): ReasoningPart[] {
  const text = fields.reasoning_content ?? fields.reasoning ?? '';
  const details = (fields.reasoning_details ?? []).map(readCallerDetail);
  if (details.length === 0) return text === '' ? [] : [{ type: 'reasoning', text, isRedacted: false }];
  if (text === '' || details.some((part) => part.text !== '')) return details;
  const shown = details.findIndex((part) => !part.isRedacted);
  if (shown === -1) return [{ type: 'reasoning', text, isRedacted: false }, ...details];
  return details.map((part, index) => (index === shown ? { ...part, text } : part));
}

/** Keeps everything except the text, in a canonical field order, since a stream sends the signature last. */
export function keepDetail({ text: _, summary: __, ...proof }: Partial<wire.ReasoningDetail>): Signature {
  const sorted = Object.entries(proof).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { protocol: 'openai-chat', value: JSON.stringify(Object.fromEntries(sorted)) };
}

function readText({ type, text, summary }: wire.ReasoningDetail): Omit<ReasoningPart, 'signature'> {
  return { type: 'reasoning', text: text ?? summary ?? '', isRedacted: isEncrypted(type) };
}

export function isEncrypted(type: string): boolean {
  return type === 'reasoning.encrypted';
}

function restoreDetail(signature: Signature, text: string): object {
  const proof = parseProof(signature.value);
  if (text === '' && isEncrypted(proof.type)) return proof;
  return { ...proof, [proof.type === 'reasoning.summary' ? 'summary' : 'text']: text };
}

// The caller may have changed the value, so parsing may fail.
function parseProof(value: string): wire.ReasoningDetail {
  try {
    return wire.reasoningDetail.parse(JSON.parse(value));
  } catch {
    return { type: 'reasoning.text' };
  }
}
