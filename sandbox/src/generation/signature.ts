import { createHmac } from 'node:crypto';

// Not a secret: it only has to be impossible to hit by accident.
const KEY = 'sandbox';

/** What a model gives along with its thoughts, to know them again in the next turn. */
export function sign(text: string): string {
  return createHmac('sha256', KEY).update(text).digest('base64');
}

export function isSigned(text: string, signature: unknown): boolean {
  return signature === sign(text);
}

/** JSON that is the same for the same value, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
