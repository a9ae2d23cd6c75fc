import { expect, it } from 'vitest';
import { drawBurnDown } from './burn-down.tsx';

it('drawBurnDown extends the remaining budget at the average daily use until the reset', () => {
  const history = {
    days: [
      { date: '2026-11-27', spent: 2 },
      { date: '2026-11-28', spent: 6 },
    ],
    last_day: '2026-11-30',
  };
  const { days, series } = drawBurnDown({ effective_limit: 10 }, history);
  expect(days).toEqual(['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30']);
  expect(series.map(({ values }) => values)).toEqual([
    [8, 4, null, null],
    [null, 4, 1, 0],
  ]);
});

it('drawBurnDown returns no forecast for a budget in total, which never resets', () => {
  const history = { days: [{ date: '2026-11-27', spent: 12 }], last_day: null };
  expect(drawBurnDown({ effective_limit: 10 }, history).series).toMatchObject([{ values: [0] }]);
});
