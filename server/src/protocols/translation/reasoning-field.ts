import { parseObject } from '#json/json-value.ts';
import type { AssistantPart, Signature } from '../canonical/content.ts';
import type { ReasoningField } from '../canonical/request.ts';

// Vendors of chat completions return unsigned reasoning in fields with different names, and reasoning models need it
// back in the same field. Callers of other protocols send signatures back, so the signature carries the field name.

const fields: ReadonlySet<unknown> = new Set<ReasoningField>(['reasoning_content', 'reasoning', 'thinking']);

/** Returns a signature that carries the field name of unsigned reasoning. */
export function signField(field: ReasoningField): Signature {
  return { protocol: 'openai-chat', value: JSON.stringify({ field }) };
}

/** Returns the field name that a signature carries; `null` for signatures of vendors. */
export function readSignedField(signature: Signature | undefined): ReasoningField | null {
  if (signature?.protocol !== 'openai-chat' || !signature.value.startsWith('{"field"')) return null;
  const carried: { readonly field?: unknown } | null = parseObject(signature.value);
  return isField(carried?.field) ? carried.field : null;
}

function isField(value: unknown): value is ReasoningField {
  return fields.has(value);
}

/** Removes a signature that only carries a field name, for targets that distinguish unsigned reasoning. */
export function dropSignedField<Part extends AssistantPart>(part: Part): Part {
  if (part.type !== 'reasoning' || readSignedField(part.signature) === null) return part;
  const { signature: _, ...unsigned } = part;
  // safe because the signature is optional in every kind of part
  return unsigned as Part;
}
