/** A key for one request, as `Idempotency-Key` carries it. `randomUUID` is for pages by HTTPS alone. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The keys of requests whose outcome is not known, because no answer came, the server failed, or was still at work. Whoever
 * asks for the same again means that request.
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
