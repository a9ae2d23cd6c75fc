/** Tokens used on one day of the tenant's calendar, such as `2026-11-20`. */
export interface UsedDay {
  readonly date: string;
  readonly tokens: number;
}

export interface MonthSoFar {
  /** Past days in order and without gaps, starting with the first day with a request. */
  readonly past: readonly UsedDay[];
  readonly today: UsedDay;
  /** Remaining fraction of today, from 0 to 1. */
  readonly restOfToday: number;
  readonly used: number;
  readonly limit: number;
  readonly lastDay: string;
}

export interface QuotaForecast {
  /** Day on which the quota is reached at the current usage; `null` if the quota lasts until the end of the month. */
  readonly reachesOn: string | null;
  /** `earliest` and `latest`: day on which the quota is reached at the highest and lowest usage of the range. */
  readonly earliest: string | null;
  readonly latest: string | null;
  /** Expected tokens by the end of the month, ignoring the quota. */
  readonly usedByEnd: number;
  /** Relative error that four of five earlier forecasts did not exceed. */
  readonly error: number;
  readonly learnedDays: number;
}

export type HiddenForecast = 'reached' | 'too_few_days' | 'unsteady';

/** Forecasts are hidden if more than one of five earlier forecasts had a larger relative error. */
export const errorMax = 0.5;
/** Maximum number of past days used for expectations. */
const learnedMax = 28;
const learnedMin = 7;
/** Number of days for which earlier forecasts are compared with actual usage. */
const testedDays = 7;
const testsMin = 7;
const coverage = 0.8;

/**
 * Forecasts when a user's monthly quota is reached if usage continues as in the last four weeks, with separate means
 * for working days and weekend days. The errors of forecasts for earlier days determine the range, and whether the
 * forecast is shown.
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

/** Returns the expected usage of each day, based on past days of the same kind (working day or weekend). */
function expect(past: readonly UsedDay[], days: readonly Pick<UsedDay, 'date'>[]): UsedDay[] {
  const learned = past.slice(-learnedMax);
  const meanOf = (kind: boolean) => {
    const alike = learned.filter(({ date }) => isWeekend(date) === kind);
    return alike.length === 0 ? 0 : sumOf(alike) / alike.length;
  };
  const [onWorkingDays, onWeekends] = [meanOf(false), meanOf(true)];
  return days.map(({ date }) => ({ date, tokens: isWeekend(date) ? onWeekends : onWorkingDays }));
}

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
