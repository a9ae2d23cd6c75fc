import { z } from 'zod';
import { anyObject } from '#json/json-value.ts';
import type { Signature } from '../canonical/content.ts';

/**
 * Additional data of a tool call. Google's signatures use Google's format; others use the gateway's own format, keyed
 * by protocol id.
 */
export type ExtraContent = Readonly<Record<string, unknown>>;

const google = z.looseObject({ google: z.looseObject({ thought_signature: z.string() }) });
const ours = z.looseObject({ value: z.string(), id: z.string().optional() });
const otherMakers = ['anthropic-messages', 'openai-responses', 'cohere', 'ollama'] as const;

export function writeCallSignature({ protocol, value, id }: Signature): ExtraContent {
  if (protocol === 'openai-chat') return parseCarrier(value);
  if (protocol === 'gemini') return { google: { thought_signature: value } };
  return { [protocol]: { value, ...(id !== undefined && { id }) } };
}

/** Keeps a provider's own extra content unchanged, so that it can be sent back. */
export function readProviderCallSignature(extra: ExtraContent): Signature {
  return { protocol: 'openai-chat', value: JSON.stringify(extra) };
}

/** Reads extra content from a caller's history, which may be another protocol's signature that the gateway encoded. */
export function readCallerCallSignature(extra: ExtraContent): Signature {
  const fromGoogle = google.safeParse(extra);
  if (fromGoogle.success) return { protocol: 'gemini', value: fromGoogle.data.google.thought_signature };
  for (const protocol of otherMakers) {
    const { data } = ours.safeParse(extra[protocol]);
    if (data) return { protocol, value: data.value, ...(data.id !== undefined && { id: data.id }) };
  }
  return readProviderCallSignature(extra);
}

// The caller may have changed the value, so parsing may fail.
function parseCarrier(value: string): ExtraContent {
  try {
    return anyObject.parse(JSON.parse(value));
  } catch {
    return {};
  }
}
