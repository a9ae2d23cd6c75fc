import { z } from 'zod';
import type { Signature } from '../canonical/content.ts';
import { anyObject } from '../json/json-value.ts';

/** What a tool call carries beside itself, in Google's form and, under our protocols' ids, in ours. */
export type ExtraContent = Readonly<Record<string, unknown>>;

const google = z.looseObject({ google: z.looseObject({ thought_signature: z.string() }) });
const ours = z.looseObject({ value: z.string(), id: z.string().optional() });
const otherMakers = ['anthropic-messages', 'openai-responses', 'cohere', 'ollama'] as const;

export function writeCallSignature({ protocol, value, id }: Signature): ExtraContent {
  if (protocol === 'openai-chat') return parseCarrier(value);
  if (protocol === 'gemini') return { google: { thought_signature: value } };
  return { [protocol]: { value, ...(id !== undefined && { id }) } };
}

/** A provider's own extra content comes back to it as it is. */
export function readProviderCallSignature(extra: ExtraContent): Signature {
  return { protocol: 'openai-chat', value: JSON.stringify(extra) };
}

/** Of a caller's history, where it may have been another protocol's signature when it left here. */
export function readCallerCallSignature(extra: ExtraContent): Signature {
  const fromGoogle = google.safeParse(extra);
  if (fromGoogle.success) return { protocol: 'gemini', value: fromGoogle.data.google.thought_signature };
  for (const protocol of otherMakers) {
    const { data } = ours.safeParse(extra[protocol]);
    if (data) return { protocol, value: data.value, ...(data.id !== undefined && { id: data.id }) };
  }
  return readProviderCallSignature(extra);
}

// It has been with the caller since it was made, so it may be anything.
function parseCarrier(value: string): ExtraContent {
  try {
    return anyObject.parse(JSON.parse(value));
  } catch {
    return {};
  }
}
