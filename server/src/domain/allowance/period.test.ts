import { budgetPeriods } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { createPeriodFinder, findPeriodWindow, type Period } from './period.ts';

const at = (text: string) => Date.parse(text);
const spanOf = (period: Period, instant: string, timeZone: string) => {
  const { startMs, endMs } = findPeriodWindow(period, at(instant), timeZone);
  return [startMs, endMs].map((ms) => (Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms)));
};

describe('calendar periods', () => {
  it.each([
    [
      'minute',
      '2026-03-29T00:59:30Z',
      'Europe/Berlin',
      '2026-03-29T00:59:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    ['hour', '2026-03-29T00:59:30Z', 'Asia/Kolkata', '2026-03-29T00:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['day', '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    [
      'day',
      '2026-03-29T12:00:00Z',
      'Pacific/Auckland',
      '2026-03-29T11:00:00.000Z',
      '2026-03-30T11:00:00.000Z',
    ],
    ['week', '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    [
      'week',
      '2026-03-29T12:00:00Z',
      'Pacific/Auckland',
      '2026-03-29T11:00:00.000Z',
      '2026-04-05T12:00:00.000Z',
    ],
    [
      'month',
      '2026-03-31T23:30:00Z',
      'Europe/Berlin',
      '2026-03-31T22:00:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ],
    ['total', '2026-03-31T23:30:00Z', 'Europe/Berlin', '-Infinity', 'Infinity'],
  ] as const)(
    'findPeriodWindow returns the %s that contains %s in %s',
    (unit, instant, timeZone, start, end) => {
      expect(spanOf({ unit, startsAtMs: null }, instant, timeZone)).toEqual([start, end]);
    },
  );
});

describe('periods from a start date', () => {
  it.each([
    [
      'month',
      '2026-01-31T09:00:00Z',
      '2026-03-10T00:00:00Z',
      '2026-02-28T09:00:00.000Z',
      '2026-03-31T08:00:00.000Z',
    ],
    [
      'month',
      '2026-01-31T09:00:00Z',
      '2026-04-30T08:00:00Z',
      '2026-04-30T08:00:00.000Z',
      '2026-05-31T08:00:00.000Z',
    ],
    [
      'week',
      '2026-01-01T09:00:00Z',
      '2026-01-08T08:59:59Z',
      '2026-01-01T09:00:00.000Z',
      '2026-01-08T09:00:00.000Z',
    ],
    [
      'day',
      '2026-03-28T09:00:00Z',
      '2026-03-29T08:30:00Z',
      '2026-03-29T08:00:00.000Z',
      '2026-03-30T08:00:00.000Z',
    ],
    [
      'hour',
      '2026-01-01T09:20:00Z',
      '2026-01-01T11:10:00Z',
      '2026-01-01T10:20:00.000Z',
      '2026-01-01T11:20:00.000Z',
    ],
    ['total', '2026-01-01T09:20:00Z', '2030-01-01T00:00:00Z', '2026-01-01T09:20:00.000Z', 'Infinity'],
  ] as const)(
    'findPeriodWindow returns the %s from %s that contains %s in Berlin',
    (unit, from, instant, start, end) => {
      expect(spanOf({ unit, startsAtMs: at(from) }, instant, 'Europe/Berlin')).toEqual([start, end]);
    },
  );
});

it('windows of every period follow each other without a gap and contain their instants', () => {
  const finder = createPeriodFinder();
  for (const unit of budgetPeriods) {
    for (const startsAtMs of [null, at('2026-01-31T09:17:00Z')]) {
      for (const timeZone of ['America/New_York', 'Pacific/Auckland']) {
        const period = { unit, startsAtMs };
        let instant = at('2026-02-27T10:00:00Z');
        for (let step = 0; step < 40; step++) {
          const { startMs, endMs } = finder(period, instant, timeZone);
          expect(startMs <= instant && instant < endMs).toBe(true);
          expect(finder(period, instant, timeZone)).toEqual(findPeriodWindow(period, instant, timeZone));
          if (endMs === Number.POSITIVE_INFINITY) break;
          expect(finder(period, endMs, timeZone).startMs).toBe(endMs);
          instant = endMs;
        }
      }
    }
  }
});
