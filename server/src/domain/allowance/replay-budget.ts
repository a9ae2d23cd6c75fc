import { createPeriodFinder, type Period } from './period.ts';
import type { Window } from './window.ts';

export interface ReplayedRequest {
  readonly userId: number | null;
  readonly atMs: number;
  /** Amount in nano-dollars, tokens or requests. */
  readonly amount: number;
  /** End of the request, in wall-clock milliseconds. */
  readonly endedAtMs: number;
}

interface ReplayedPeriod extends Window {
  used: number;
  refused: number;
}

interface ReplayedUser {
  readonly userId: number;
  requests: number;
  refused: number;
}

interface BudgetReplayResult {
  readonly requests: number;
  readonly refused: number;
  readonly refusedAmount: number;
  readonly firstRefusedAtMs: number | null;
  /** Periods with refused requests, in chronological order. */
  readonly periods: readonly ReplayedPeriod[];
  /** The user with the most refused requests is first. */
  readonly users: readonly ReplayedUser[];
}

/**
 * Replays the actual usage of requests against a budget, in order of admission. The gateway reserves each request's
 * upper bound, so it may reject a request earlier than the replay. For parallel requests, only requests in flight are
 * counted.
 */
export function createBudgetReplay(limit: number, period: Period, timeZone: string) {
  const inFlight = createInFlight();
  const findPeriod = createPeriodFinder();
  const periods = new Map<number, ReplayedPeriod>();
  const users = new Map<number, ReplayedUser>();
  const total = { requests: 0, refused: 0, refusedAmount: 0 };
  let firstRefusedAtMs: number | null = null;
  return {
    add({ amount, atMs, endedAtMs, userId }: ReplayedRequest): void {
      const window = findPeriod(period, atMs, timeZone);
      const current = periods.getOrInsertComputed(window.startMs, () => ({ ...window, used: 0, refused: 0 }));
      const user = userId === null ? null : users.getOrInsertComputed(userId, newUser);
      if (period.unit === 'at_once') current.used = inFlight.countAt(atMs);
      // A limit of 0 rejects all requests, even if they cost nothing.
      const isRefused = limit === 0 || current.used + amount > limit;
      total.requests++;
      if (user) user.requests++;
      if (!isRefused) {
        current.used += amount;
        if (period.unit === 'at_once') inFlight.add(endedAtMs);
        return;
      }
      firstRefusedAtMs ??= atMs;
      total.refused++;
      total.refusedAmount += amount;
      current.refused++;
      if (user) user.refused++;
    },
    list: (): BudgetReplayResult => ({
      ...total,
      firstRefusedAtMs,
      periods: [...periods.values()].filter(({ refused }) => refused > 0),
      users: [...users.values()]
        .filter(({ refused }) => refused > 0)
        .toSorted((one, other) => other.refused - one.refused || one.userId - other.userId),
    }),
  };
}

/** Requests must be added in the order of their start. */
function createInFlight() {
  let ends: number[] = [];
  return {
    add(endMs: number): void {
      const index = ends.findLastIndex((one) => one <= endMs);
      ends.splice(index + 1, 0, endMs);
    },
    countAt(atMs: number): number {
      const firstLater = ends.findIndex((one) => one > atMs);
      ends = firstLater === -1 ? [] : ends.slice(firstLater);
      return ends.length;
    },
  };
}

const newUser = (userId: number): ReplayedUser => ({ userId, requests: 0, refused: 0 });
