import type { BudgetMeasure } from '@sluice/contract';

/**
 * Kinds of allowances. Amounts are in requests, tokens or, for credits and dollar budgets, nano-dollars. A
 * `parallel_requests` hold is released when the request ends; all other kinds count usage.
 */
export const allowanceKinds = [
  'requests_per_hour',
  'tokens_per_day',
  'tokens_per_month',
  'task_tokens',
  'credits',
  'usd_budget',
  'token_budget',
  'request_budget',
  'parallel_requests',
] as const;

export type AllowanceKind = (typeof allowanceKinds)[number];

/** Period of an allowance in wall-clock milliseconds, from `startMs` (inclusive) to `endMs` (exclusive). */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const hourMs = 3_600_000;
const forever: Window = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/**
 * Returns the window that contains an instant: a UTC clock hour, or a day or month in the tenant's time zone. A day
 * has 23 to 25 hours when clocks change. Allowances without a window have no time limit.
 */
export function findWindow(kind: AllowanceKind, atMs: number, timeZone: string): Window {
  switch (kind) {
    case 'requests_per_hour': {
      const startMs = Math.floor(atMs / hourMs) * hourMs;
      return { startMs, endMs: startMs + hourMs };
    }
    case 'tokens_per_day':
      return findCalendarWindow(atMs, timeZone, { days: 1 });
    case 'tokens_per_month':
      return findCalendarWindow(atMs, timeZone, { months: 1 });
    default:
      return forever;
  }
}

export function countsRequests(kind: AllowanceKind): boolean {
  return kind === 'requests_per_hour' || kind === 'request_budget' || kind === 'parallel_requests';
}

export const budgetKinds = {
  usd: 'usd_budget',
  tokens: 'token_budget',
  requests: 'request_budget',
  parallel_requests: 'parallel_requests',
} as const satisfies Record<BudgetMeasure, AllowanceKind>;

const kindsOfBudgets: ReadonlySet<AllowanceKind> = new Set(Object.values(budgetKinds));

export function isBudget(kind: AllowanceKind): boolean {
  return kindsOfBudgets.has(kind);
}

export function isMoney(kind: AllowanceKind): boolean {
  return kind === 'credits' || kind === 'usd_budget';
}

// Returns a calendar day or month. The end is the start of the next one rather than the start plus a duration,
// because a day may start at 1:00.
export function findCalendarWindow(
  atMs: number,
  timeZone: string,
  length: { days: number } | { months: number },
): Window {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const first = 'months' in length ? today.with({ day: 1 }) : today;
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
  return { startMs: startOf(first), endMs: startOf(first.add(length)) };
}

/** Caches the last window per time zone, because calendar calculations are slow. */
export function createWindowFinder(): typeof findWindow {
  const latest = new Map<AllowanceKind, Map<string, Window>>(allowanceKinds.map((kind) => [kind, new Map()]));
  return (kind, atMs, timeZone) => {
    const ofKind = latest.get(kind);
    const known = ofKind?.get(timeZone);
    if (known && atMs >= known.startMs && atMs < known.endMs) return known;
    const window = findWindow(kind, atMs, timeZone);
    ofKind?.set(timeZone, window);
    return window;
  };
}
