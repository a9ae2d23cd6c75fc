import { decay } from '#domain/exponential-decay.ts';

/** Failures of one user that count within 10 s or so, and in one row of failures. Ten in a row open a circuit. */
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
 * Limits how much one user's failures count against a target that others call too. A failure may be caused by what the
 * user sends, so only failures of several users show that the provider is in trouble.
 */
export interface FailureVotes {
  /** Returns whether another failure of this user counts, and records it if so. */
  add(userId: number, nowMs: number): boolean;
  /** Called when a call succeeds: a new row of failures begins. */
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
