import { createHmac } from 'node:crypto';

// Key for signatures. Not a secret, because signatures only prevent accidental matches.
const signingKey = 'sandbox';

/** Returns the signature of a model's thinking. The next request must return the thinking with this signature. */
export function sign(text: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64');
}

export function isSigned(text: string, signature: unknown): boolean {
  return signature === sign(text);
}

/** Signs a text and encodes it in base64, for values that clients send back unchanged. The text is not encrypted. */
export function seal(text: string): string {
  return Buffer.from(`${sign(text)} ${text}`).toString('base64');
}

/** Returns the sealed text, or `null` if the text was not sealed or was changed. */
export function unseal(sealed: string): string | null {
  const [, signature, text = ''] = /^(\S+) (.*)$/s.exec(Buffer.from(sealed, 'base64').toString()) ?? [];
  return isSigned(text, signature) && seal(text) === sealed ? text : null;
}

/** Returns JSON that is the same for equal values, regardless of the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
