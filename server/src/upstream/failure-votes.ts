import { decay } from '#domain/exponential-decay.ts';

/** Most failures of one user that count within about 10 s and since the last success. Ten in a row open a circuit. */
const failuresPerUserMax = 5;
const halfLifeMs = 10_000;
const usersMax = 100;

interface Vote {
  failures: number;
  countedAtMs: number;
  row: number;
  failuresInRow: number;
}

/**
 * Limits how much one user's failures count against a shared target. A failure may be caused by what the user sends, so
 * only failures of several users show that the provider is in trouble.
 */
export interface FailureVotes {
  /** Whether another failure of this user counts; if so, records it. */
  add(userId: number, nowMs: number): boolean;
  /** Called when a call succeeds, which resets the count of consecutive failures. */
  startRow(): void;
}

export function createFailureVotes(): FailureVotes {
  const votes = new Map<number, Vote>();
  let row = 0;
  return {
    add(userId, nowMs) {
      const vote = votes.get(userId) ?? { failures: 0, countedAtMs: nowMs, row, failuresInRow: 0 };
      const failures = decay(vote.failures, nowMs - vote.countedAtMs, halfLifeMs);
      const failuresInRow = vote.row === row ? vote.failuresInRow : 0;
      if (failures >= failuresPerUserMax || failuresInRow >= failuresPerUserMax) return false;
      votes.delete(userId);
      votes.set(userId, {
        failures: failures + 1,
        countedAtMs: nowMs,
        row,
        failuresInRow: failuresInRow + 1,
      });
      const [oldest] = votes.keys();
      if (votes.size > usersMax && oldest !== undefined) votes.delete(oldest);
      return true;
    },
    startRow() {
      row++;
    },
  };
}
