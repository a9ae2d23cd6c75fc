export class Concurrency {
  readonly #limit: number;
  readonly #byUser = new Map<number, number>();
  readonly #byKey = new Map<number, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a slot of the user and of the key, if any. Returns `false` if either has reached the limit. */
  enter(userId: number, apiKeyId: number | null): boolean {
    const ofUser = this.#byUser.get(userId) ?? 0;
    const ofKey = apiKeyId === null ? 0 : (this.#byKey.get(apiKeyId) ?? 0);
    if (ofUser >= this.#limit || ofKey >= this.#limit) return false;
    this.#byUser.set(userId, ofUser + 1);
    if (apiKeyId !== null) this.#byKey.set(apiKeyId, ofKey + 1);
    return true;
  }

  leave(userId: number, apiKeyId: number | null): void {
    countDown(this.#byUser, userId);
    if (apiKeyId !== null) countDown(this.#byKey, apiKeyId);
  }

  get size(): number {
    return this.#byUser.size + this.#byKey.size;
  }
}

function countDown(counts: Map<number, number>, id: number): void {
  const rest = (counts.get(id) ?? 0) - 1;
  if (rest > 0) counts.set(id, rest);
  else counts.delete(id);
}
