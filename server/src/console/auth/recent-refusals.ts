import type { ConsoleError } from '#errors/console-error.ts';
import type { Clock } from '#platform/clock.ts';

/** Short, since a success on another node lifts the rejection. */
const holdMs = 5_000;
const refusalsMax = 10_000;

/** Cache of rejections of the last seconds by subject, so that repeated attempts cost no query. */
export interface RecentRefusals {
  /** @throws ConsoleError the cached rejection of this subject. */
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
