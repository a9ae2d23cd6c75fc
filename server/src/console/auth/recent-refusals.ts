import type { ConsoleError } from '#errors/console-error.ts';
import type { Clock } from '#platform/clock.ts';

/** Short, since a success elsewhere lifts a refusal. */
const holdMs = 5_000;
const refusalsMax = 10_000;

/** Refusals of the last seconds, by subject: repeating what was just refused costs no query. */
export interface RecentRefusals {
  /** @throws ConsoleError the refusal of this subject, if it is recent. */
  check(subject: string): void;
  note(subject: string, refusal: ConsoleError): void;
}

export function createRecentRefusals(clock: Clock): RecentRefusals {
  const refusals = new Map<string, { readonly refusal: ConsoleError; readonly endsAtMs: number }>();
  return {
    check(subject) {
      const recent = refusals.get(subject);
      if (!recent) return;
      if (clock() < recent.endsAtMs) throw recent.refusal;
      refusals.delete(subject);
    },
    note(subject, refusal) {
      if (refusals.size >= refusalsMax) refusals.clear();
      const waitMs = Math.min(holdMs, 1_000 * (refusal.retryAfterSeconds ?? 0));
      refusals.set(subject, { refusal, endsAtMs: clock() + waitMs });
    },
  };
}
