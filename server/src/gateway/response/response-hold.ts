import type { ServerResponse } from 'node:http';
import { GatewayError } from '#errors/gateway-error.ts';
import { MemoryBudget, MemoryHold, type Shortage } from '#platform/memory-budget.ts';
import type { RequestAbort } from '../request-abort.ts';
import { findCutOffError } from '../running-requests.ts';

/** One tenant may hold at most 1/tenantShares of the budget. */
const tenantShares = 2;

/** Bytes that every response may buffer uncounted, so that typical responses never use the budget. */
const freeBytes = 128 * 1024;

const retryAfterMs = 2_000;

export function createResponseBudget(totalBytes: number): MemoryBudget {
  return new MemoryBudget(totalBytes, tenantShares);
}

/**
 * Memory held by one response: bytes from the provider that are not relayed yet, and bytes that the caller has not
 * read. If the budget is exceeded, the provider call is aborted with `response_budget_exceeded`.
 */
export class ResponseHold {
  readonly #hold: MemoryHold;
  readonly #abort: RequestAbort;

  constructor(budget: MemoryBudget, tenantId: number, abort: RequestAbort) {
    this.#hold = new MemoryHold(budget, tenantId);
    this.#abort = abort;
  }

  resize(bufferedBytes: number): void {
    const bytes = Math.max(0, bufferedBytes - freeBytes);
    if (bytes === this.#hold.bytes) return;
    const shortage = this.#hold.resize(bytes);
    if (shortage) this.#abort.abort(responseBudgetError(shortage, this.#hold.heldByOwner));
  }

  /**
   * Sets the hold for a response that is ready to be sent.
   * @throws GatewayError if the request was cut off
   */
  requireToSend(bytes: number): void {
    this.resize(bytes);
    const cutOff = findCutOffError(this.#abort);
    if (cutOff) throw cutOff;
  }

  releaseWhenSent(response: ServerResponse): void {
    if (this.#hold.bytes === 0) return;
    if (response.closed || response.writableLength === 0) this.#hold.release();
    else response.once('close', () => this.#hold.release());
  }
}

function responseBudgetError(shortage: Shortage, heldBytes: number): GatewayError {
  const reason =
    shortage === 'share'
      ? `Your organization's requests in flight hold ${(heldBytes / 1024 ** 2).toFixed(1)} MiB of long responses`
      : 'The requests in flight use all the memory that this node reserves for long responses';
  return new GatewayError(
    'response_budget_exceeded',
    `${reason}, so this response was cut off. The output up to that point is charged. Retry when other requests have finished.`,
    { retryAfterMs },
  );
}
