import { GatewayError } from '#errors/gateway-error.ts';

/** A user who holds no more than this is admitted even if the budget is used up. */
const smallBytes = 1024 * 1024;

/** One user's maximum share of the budget, as a divisor. */
const personsShare = 4;

const retryAfterMs = 2_000;

/** Counts the bytes of bodies that this node holds in memory, in total and per user. */
export class BodyBudget {
  readonly #totalMax: number;
  readonly #personMax: number;
  readonly #heldByPerson = new Map<number, number>();
  #held = 0;

  constructor(totalBytes: number) {
    this.#totalMax = totalBytes;
    this.#personMax = Math.floor(totalBytes / personsShare);
  }

  /** @throws GatewayError body_budget_exceeded */
  take(userId: number, bytes: number): void {
    const ownBytes = this.heldBy(userId) + bytes;
    if (ownBytes > this.#personMax)
      throw bodyBudgetError(`Your requests in flight use ${formatSize(this.heldBy(userId))} of memory`);
    if (this.#held + bytes > this.#totalMax && ownBytes > smallBytes)
      throw bodyBudgetError(
        'The requests in flight use all the memory that this node reserves for request bodies',
      );
    this.#held += bytes;
    this.#heldByPerson.set(userId, ownBytes);
  }

  release(userId: number, bytes: number): void {
    this.#held -= bytes;
    const rest = this.heldBy(userId) - bytes;
    if (rest > 0) this.#heldByPerson.set(userId, rest);
    else this.#heldByPerson.delete(userId);
  }

  heldBy(userId: number): number {
    return this.#heldByPerson.get(userId) ?? 0;
  }

  get held(): number {
    return this.#held;
  }
}

/** Part of the budget held by one request's body. */
export class BodyHold {
  readonly #budget: BodyBudget;
  readonly #userId: number;
  #bytes = 0;

  constructor(budget: BodyBudget, userId: number) {
    this.#budget = budget;
    this.#userId = userId;
  }

  /**
   * Raises the hold to `bytes` in total.
   * @throws GatewayError body_budget_exceeded
   */
  growTo(bytes: number): void {
    if (bytes <= this.#bytes) return;
    this.#budget.take(this.#userId, bytes - this.#bytes);
    this.#bytes = bytes;
  }

  release(): void {
    this.#budget.release(this.#userId, this.#bytes);
    this.#bytes = 0;
  }
}

function bodyBudgetError(reason: string): GatewayError {
  return new GatewayError(
    'body_budget_exceeded',
    `${reason}, so this request body does not fit. Wait until one of them finishes.`,
    { retryAfterMs },
  );
}

function formatSize(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
