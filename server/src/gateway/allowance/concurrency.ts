/** Counts requests in flight on this node, per user and per key. */
export class Concurrency {
  readonly #limit: number;
  readonly #inFlight = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns `false` if the user or the key has reached the limit; otherwise call `leave` once with the same arguments.
   */
  enter(userId: number, apiKeyId: number | null): boolean {
    const names = nameSlots(userId, apiKeyId);
    if (names.some((name) => this.#count(name) >= this.#limit)) return false;
    for (const name of names) this.#inFlight.set(name, this.#count(name) + 1);
    return true;
  }

  leave(userId: number, apiKeyId: number | null): void {
    for (const name of nameSlots(userId, apiKeyId)) {
      const rest = this.#count(name) - 1;
      if (rest > 0) this.#inFlight.set(name, rest);
      else this.#inFlight.delete(name);
    }
  }

  /** Number of slots in use. */
  get size(): number {
    return this.#inFlight.size;
  }

  #count(name: string): number {
    return this.#inFlight.get(name) ?? 0;
  }
}

function nameSlots(userId: number, apiKeyId: number | null): string[] {
  return apiKeyId === null ? [`user ${userId}`] : [`user ${userId}`, `key ${apiKeyId}`];
}
