import { GatewayError } from '#errors/gateway-error.ts';
import { MemoryBudget, MemoryHold, type Shortage } from '#platform/memory-budget.ts';

/** One user may hold at most 1/userShares of the budget. */
const userShares = 4;

const retryAfterMs = 2_000;

export function createBodyBudget(totalBytes: number): MemoryBudget {
  return new MemoryBudget(totalBytes, userShares);
}

export class BodyHold {
  readonly #hold: MemoryHold;

  constructor(budget: MemoryBudget, userId: number) {
    this.#hold = new MemoryHold(budget, userId);
  }

  /**
   * Increases the hold to `bytes` in total.
   * @throws GatewayError body_budget_exceeded
   */
  growTo(bytes: number): void {
    if (bytes <= this.#hold.bytes) return;
    const shortage = this.#hold.resize(bytes);
    if (shortage) throw bodyBudgetError(shortage, this.#hold.heldByOwner);
  }

  release(): void {
    this.#hold.release();
  }
}

function bodyBudgetError(shortage: Shortage, heldBytes: number): GatewayError {
  const reason =
    shortage === 'share'
      ? `Your requests in flight use ${(heldBytes / 1024 ** 2).toFixed(1)} MiB of memory`
      : 'The requests in flight use all the memory that this node reserves for request bodies';
  return new GatewayError(
    'body_budget_exceeded',
    `${reason}, so this request body does not fit. Wait until one of them finishes.`,
    { retryAfterMs },
  );
}
