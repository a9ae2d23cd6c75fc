/** Maximum amount that an owner gets even if the budget is used up. */
const smallBytes = 1024 * 1024;

/** Reason why bytes do not fit: the owner's share or the whole budget is used up. */
export type Shortage = 'share' | 'total';

/** Counts bytes that this process holds in memory, in total and per owner. */
export class MemoryBudget {
  readonly #totalMax: number;
  readonly #shareMax: number;
  readonly #heldByOwner = new Map<number, number>();
  #held = 0;

  /** `totalBytes` divided by `shares` is the maximum per owner. */
  constructor(totalBytes: number, shares: number) {
    this.#totalMax = totalBytes;
    this.#shareMax = Math.floor(totalBytes / shares);
  }

  /** Reserves bytes for an owner. Returns the reason if they do not fit, or `null` if they were reserved. */
  take(ownerId: number, bytes: number): Shortage | null {
    const ownBytes = this.heldBy(ownerId) + bytes;
    if (ownBytes > this.#shareMax) return 'share';
    if (this.#held + bytes > this.#totalMax && ownBytes > smallBytes) return 'total';
    this.#held += bytes;
    this.#heldByOwner.set(ownerId, ownBytes);
    return null;
  }

  release(ownerId: number, bytes: number): void {
    this.#held -= bytes;
    const rest = this.heldBy(ownerId) - bytes;
    if (rest > 0) this.#heldByOwner.set(ownerId, rest);
    else this.#heldByOwner.delete(ownerId);
  }

  heldBy(ownerId: number): number {
    return this.#heldByOwner.get(ownerId) ?? 0;
  }

  get held(): number {
    return this.#held;
  }
}

export class MemoryHold {
  readonly #budget: MemoryBudget;
  readonly #ownerId: number;
  #bytes = 0;

  constructor(budget: MemoryBudget, ownerId: number) {
    this.#budget = budget;
    this.#ownerId = ownerId;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get heldByOwner(): number {
    return this.#budget.heldBy(this.#ownerId);
  }

  /** `bytes` is the new total. If the bytes do not fit, returns the reason and keeps the previous hold. */
  resize(bytes: number): Shortage | null {
    const growth = bytes - this.#bytes;
    if (growth > 0) {
      const shortage = this.#budget.take(this.#ownerId, growth);
      if (shortage) return shortage;
    } else if (growth < 0) this.#budget.release(this.#ownerId, -growth);
    this.#bytes = bytes;
    return null;
  }

  release(): void {
    this.resize(0);
  }
}
