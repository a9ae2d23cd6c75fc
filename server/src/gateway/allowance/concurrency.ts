/** Counts requests in flight on this node, by whom and by which key. */
export class Concurrency {
  readonly #limit: number;
  readonly #inFlight = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False when the person or the key has as many in flight as may be; else call `leave` with the same once. */
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

  /** How many slots are taken by anybody. */
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
