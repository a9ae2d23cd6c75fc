/** Returns a new `Idempotency-Key`. `crypto.randomUUID` is available only on pages served over HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Holds the keys of requests with unknown outcome: no response, a server failure, or still in progress. A repeated call
 * of the same request gets the same key.
 */
export class OpenIdempotencyKeys {
  readonly #keys = new Map<string, string>();

  keyOf(request: string): string {
    const key = this.#keys.get(request) ?? newIdempotencyKey();
    this.#keys.set(request, key);
    return key;
  }

  settle(request: string, status: number): void {
    if (status < 500 && status !== 409) this.#keys.delete(request);
  }
}
