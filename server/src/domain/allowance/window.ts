import type { BudgetMeasure } from '@sluice/contract';

/**
 * Kinds of allowances. Amounts are requests or tokens, or nano-dollars for credits and budgets in dollars. A
 * request's hold of `parallel_requests` is released when the request ends; all other kinds count the usage.
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

/** Period of an allowance in wall-clock milliseconds: from `startMs` until before `endMs`. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const hourMs = 3_600_000;
const forever: Window = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/**
 * Returns the window that contains an instant: a UTC clock hour, or a day or month of the tenant's time zone, whose
 * length follows the zone (23 to 25 hours when clocks change). Allowances without a window are unlimited in time.
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

/** Whether amounts of this kind are requests. */
export function countsRequests(kind: AllowanceKind): boolean {
  return kind === 'requests_per_hour' || kind === 'request_budget' || kind === 'parallel_requests';
}

/** Allowance kind for each measure of a budget. */
export const budgetKinds = {
  usd: 'usd_budget',
  tokens: 'token_budget',
  requests: 'request_budget',
  parallel_requests: 'parallel_requests',
} as const satisfies Record<BudgetMeasure, AllowanceKind>;

const kindsOfBudgets: ReadonlySet<AllowanceKind> = new Set(Object.values(budgetKinds));

/** Whether allowances of this kind belong to budgets. */
export function isBudget(kind: AllowanceKind): boolean {
  return kindsOfBudgets.has(kind);
}

/** Whether amounts of this kind are nano-dollars. */
export function isMoney(kind: AllowanceKind): boolean {
  return kind === 'credits' || kind === 'usd_budget';
}

// The end is the start of the next day or month instead of start plus duration: a day may start at 1 o'clock.
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

/** Creates a `findWindow` that caches the last window of each zone, since calendar calculations are slow. */
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
