/** What a person used on one day of the tenant's calendar, `2026-11-20`. */
export interface UsedDay {
  readonly date: string;
  readonly tokens: number;
}

export interface MonthSoFar {
  /** The days that are over, in order and without a gap, from the first one with a request. */
  readonly past: readonly UsedDay[];
  readonly today: UsedDay;
  /** How much of today is still to come, from 0 to 1. */
  readonly restOfToday: number;
  /** Of this month's tokens. */
  readonly used: number;
  readonly limit: number;
  /** Of this month. */
  readonly lastDay: string;
}

export interface QuotaForecast {
  /** The day on which the quota is reached at this pace; `null` when it lasts until the month's end. */
  readonly reachesOn: string | null;
  /** The same at the fastest and the slowest pace of the range. */
  readonly earliest: string | null;
  readonly latest: string | null;
  /** Tokens that the month will have taken by its end, were there no quota. */
  readonly usedByEnd: number;
  /** How far off four of five earlier forecasts were at most, as a share of what they said. */
  readonly error: number;
  readonly learnedDays: number;
}

/** Why there is no forecast. */
export type HiddenForecast = 'reached' | 'too_few_days' | 'unsteady';

/** Forecasts that were further off in one of five cases are not shown. */
export const errorMax = 0.5;
/** The weeks whose days a day is expected to be like. */
const learnedMax = 28;
const learnedMin = 7;
/** Earlier forecasts are judged by the sum of a week. */
const testedDays = 7;
const testsMin = 7;
const coverage = 0.8;

/**
 * When a person's monthly quota is reached, if they go on as in the last four weeks: a working day is expected to be
 * like the mean of those, a day of the weekend likewise. The same forecast made on each earlier day, from the days
 * before it alone, says how wide the range is, and whether there is anything to show.
 */
export function forecastMonthlyQuota(month: MonthSoFar): QuotaForecast | HiddenForecast {
  const { past, used, limit } = month;
  if (used >= limit) return 'reached';
  const errors = listErrors(past);
  if (errors.length < testsMin) return 'too_few_days';
  const error = errors[Math.min(errors.length, Math.ceil(coverage * (errors.length + 1))) - 1] ?? errorMax;
  if (error > errorMax) return 'unsteady';
  const coming = listComing(month);
  const left = limit - used;
  return {
    reachesOn: findReached(coming, left),
    earliest: findReached(coming, left / (1 + error)),
    latest: findReached(coming, left / (1 - error)),
    usedByEnd: Math.round(used + sumOf(coming)),
    error,
    learnedDays: Math.min(past.length, learnedMax),
  };
}

/** How far off the forecast of the week after each earlier day was, the smallest first. */
function listErrors(past: readonly UsedDay[]): number[] {
  const first = Math.max(learnedMin, past.length - testedDays - learnedMax);
  const errors: number[] = [];
  for (let day = first; day + testedDays <= past.length; day++) {
    const week = past.slice(day, day + testedDays);
    const said = sumOf(expect(past.slice(0, day), week));
    const off = Math.abs(sumOf(week) - said);
    errors.push(off === 0 ? 0 : off / said);
  }
  return errors.sort((one, other) => one - other);
}

/** What each of some days will take, by the days of the same kind before them. */
function expect(past: readonly UsedDay[], days: readonly Pick<UsedDay, 'date'>[]): UsedDay[] {
  const learned = past.slice(-learnedMax);
  const meanOf = (kind: boolean) => {
    const alike = learned.filter(({ date }) => isWeekend(date) === kind);
    return alike.length === 0 ? 0 : sumOf(alike) / alike.length;
  };
  const [onWorkingDays, onWeekends] = [meanOf(false), meanOf(true)];
  return days.map(({ date }) => ({ date, tokens: isWeekend(date) ? onWeekends : onWorkingDays }));
}

/** What the rest of today and each further day of the month will take. */
function listComing({ past, today, restOfToday, lastDay }: MonthSoFar): UsedDay[] {
  const days = [{ date: today.date }];
  for (let date = nextDay(today.date); date <= lastDay; date = nextDay(date)) days.push({ date });
  const [rest, ...further] = expect(past, days);
  return rest ? [{ ...rest, tokens: rest.tokens * restOfToday }, ...further] : [];
}

function findReached(coming: readonly UsedDay[], left: number): string | null {
  let sum = 0;
  for (const { date, tokens } of coming) {
    sum += tokens;
    if (sum >= left) return date;
  }
  return null;
}

const sumOf = (days: readonly UsedDay[]) => days.reduce((sum, { tokens }) => sum + tokens, 0);

const isWeekend = (date: string) => new Date(date).getUTCDay() % 6 === 0;

const dayMs = 24 * 3_600_000;
const nextDay = (date: string) => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
