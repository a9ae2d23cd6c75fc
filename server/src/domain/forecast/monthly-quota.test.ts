import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorMax, forecastMonthlyQuota, type MonthSoFar, type QuotaForecast } from './monthly-quota.ts';

const dayMs = 24 * 3_600_000;
const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

const today = '2026-11-09';
const lastDay = '2026-11-30';
const monthOf = (tokens: readonly number[], change: Partial<MonthSoFar> = {}): MonthSoFar => ({
  past: tokens.map((count, place) => ({ date: dayAfter(today, place - tokens.length), tokens: count })),
  today: { date: today, tokens: 0 },
  restOfToday: 1,
  used: 8_000,
  limit: 30_000,
  lastDay,
  ...change,
});
const steady = Array.from({ length: 28 }, () => 1_000);
const shown = (month: MonthSoFar): QuotaForecast => {
  const forecast = forecastMonthlyQuota(month);
  if (typeof forecast === 'string') throw new Error(`hidden: ${forecast}`);
  return forecast;
};

describe('forecastMonthlyQuota with equal usage per day', () => {
  it('forecastMonthlyQuota returns the exact day for equal usage per day, without a range', () => {
    const forecast = shown(monthOf(steady, { limit: 12_000 }));
    expect(forecast).toEqual({
      reachesOn: '2026-11-12',
      earliest: '2026-11-12',
      latest: '2026-11-12',
      usedByEnd: 30_000,
      error: 0,
      learnedDays: 28,
    });
  });

  it('forecastMonthlyQuota returns no day for a quota that lasts until the end of the month', () => {
    const lasting = shown(monthOf(steady, { limit: 30_001 }));
    expect(lasting).toMatchObject({ reachesOn: null, earliest: null, latest: null });
  });

  it("forecastMonthlyQuota includes today's usage", () => {
    const evening = { restOfToday: 0.25, limit: 8_250 };
    expect(shown(monthOf(steady, evening)).reachesOn).toBe(today);
    expect(shown(monthOf(steady, { ...evening, limit: 8_251 })).reachesOn).toBe('2026-11-10');
  });
});

it('forecastMonthlyQuota distinguishes weekends from working days', () => {
  const days = Array.from({ length: 28 }, (_, place) => (place % 7 < 5 ? 1_000 : 0));
  // 1,000 tokens on each of five working days, none on the weekend, and the last 500 on the following Monday.
  expect(shown(monthOf(days, { used: 0, limit: 5_500 })).reachesOn).toBe('2026-11-16');
});

describe('forecastMonthlyQuota without a forecast', () => {
  it('forecastMonthlyQuota returns reached when the quota is used up', () => {
    expect(forecastMonthlyQuota(monthOf(steady, { used: 30_000 }))).toBe('reached');
  });

  it('forecastMonthlyQuota returns too_few_days below twenty days', () => {
    expect(forecastMonthlyQuota(monthOf(steady.slice(0, 19)))).toBe('too_few_days');
    expect(typeof forecastMonthlyQuota(monthOf(steady.slice(0, 20)))).toBe('object');
  });

  it('forecastMonthlyQuota returns unsteady if earlier forecasts exceeded the error bound', () => {
    const bursts = Array.from({ length: 56 }, (_, place) => (place % 14 === 0 ? 50_000 : 0));
    expect(forecastMonthlyQuota(monthOf(bursts))).toBe('unsteady');
    const doubled = steady.map((tokens, place) => tokens * 2 ** Math.floor(place / 7));
    expect(forecastMonthlyQuota(monthOf(doubled))).toBe('unsteady');
  });
});

const pastDays = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 70 });
const months = fc
  .record({
    days: pastDays,
    used: fc.integer({ min: 0, max: 60_000 }),
    limit: fc.integer({ min: 1, max: 90_000 }),
    restOfToday: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ days, ...change }) => monthOf(days, change));
const orNever = (date: string | null) => date ?? '9999';

describe('forecastMonthlyQuota for random months', () => {
  it('forecastMonthlyQuota returns a date within its range and the rest of the month, and an error within the bound', () => {
    fc.assert(
      fc.property(months, (month) => {
        const forecast = forecastMonthlyQuota(month);
        if (typeof forecast === 'string') return;
        const { earliest, reachesOn, latest, error, usedByEnd } = forecast;
        const dates = [earliest, reachesOn, latest].map(orNever);
        expect(dates).toEqual(dates.toSorted());
        for (const date of [earliest, reachesOn, latest])
          if (date !== null) expect(date >= today && date <= lastDay).toBe(true);
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(errorMax);
        expect(usedByEnd).toBeGreaterThanOrEqual(month.used);
        expect(reachesOn === null).toBe(usedByEnd < month.limit);
      }),
    );
  });

  it('forecastMonthlyQuota never returns a later day for higher usage or a smaller quota', () => {
    fc.assert(
      fc.property(months, fc.integer({ min: 0, max: 9_000 }), (month, more) => {
        const forecast = forecastMonthlyQuota(month);
        for (const change of [{ used: month.used + more }, { limit: month.limit - more }]) {
          const after = forecastMonthlyQuota({ ...month, ...change });
          if (typeof forecast === 'string' || typeof after === 'string') continue;
          expect(orNever(after.reachesOn) <= orNever(forecast.reachesOn)).toBe(true);
        }
      }),
    );
  });
});

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

it('forecastMonthlyQuota returns a range that contains the actual day in more than 80% of months', () => {
  const random = createRandom(7);
  let forecasts = 0;
  let hits = 0;
  for (let person = 0; person < 2_000; person++) {
    const spread = 0.2 + random();
    const useOf = (place: number) =>
      (place % 7 < 5 ? 1_000 : 200) * Math.max(0, 1 + spread * 2 * (random() - 0.5));
    const past = Array.from({ length: 28 }, (_, place) => useOf(place));
    const limit = 8_000 + 3_000 + Math.round(random() * 9_000);
    const forecast = forecastMonthlyQuota(monthOf(past, { limit }));
    if (typeof forecast === 'string') continue;
    let used = 8_000;
    const coming = Array.from({ length: 22 }, (_, place) => (used += useOf(place)));
    const reached = coming.findIndex((sum) => sum >= limit);
    const date = reached < 0 ? '9999' : dayAfter(today, reached);
    forecasts++;
    if (date >= orNever(forecast.earliest) && date <= orNever(forecast.latest)) hits++;
  }
  expect(forecasts).toBeGreaterThan(1_000);
  expect(hits / forecasts).toBeGreaterThan(0.8);
});
