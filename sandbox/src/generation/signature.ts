import { createHmac } from 'node:crypto';

// Not a secret: it only has to be impossible to hit by accident.
const signingKey = 'sandbox';

/** What a model gives along with its thoughts, to know them again in the next turn. */
export function sign(text: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64');
}

export function isSigned(text: string, signature: unknown): boolean {
  return signature === sign(text);
}

/** A text that only the sandbox reads again, for clients that keep what they cannot read; it is base64 throughout. */
export function seal(text: string): string {
  return Buffer.from(`${sign(text)} ${text}`).toString('base64');
}

/** The text that was sealed, null when it was not, or not so. */
export function unseal(sealed: string): string | null {
  const [, signature, text = ''] = /^(\S+) (.*)$/s.exec(Buffer.from(sealed, 'base64').toString()) ?? [];
  return isSigned(text, signature) && seal(text) === sealed ? text : null;
}

/** JSON that is the same for the same value, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
