import { expect, it } from 'vitest';
import { reasonsOf, refusalSeriesOf } from './refusals-chart.tsx';

const days = ['2026-11-01', '2026-11-02'];
const refused = (date: string, reason: string, count: number) => ({ date, reason, count, rows: 1 });

it('reasonsOf adds up the days of each reason and returns the most frequent reason first', () => {
  const refusals = [refused(days[0]!, 'a', 2), refused(days[1]!, 'b', 4), refused(days[1]!, 'a', 3)];
  expect(reasonsOf(refusals)).toEqual([
    { reason: 'a', count: 5, rows: 2 },
    { reason: 'b', count: 4, rows: 1 },
  ]);
  expect(refusalSeriesOf(refusals, days, String).map(({ values }) => values)).toEqual([
    [2, 3],
    [0, 4],
  ]);
});

it('refusalSeriesOf combines the rarest of more than six reasons, so that the bars add up to the total', () => {
  const refusals = [...'abcdefgh'].map((reason, place) => refused(days[0]!, reason, 10 - place));
  const series = refusalSeriesOf(refusals, days, String);
  expect(series).toHaveLength(6);
  expect(series.at(-1)).toMatchObject({ label: '3 other reasons', values: [5 + 4 + 3, 0] });
  const all = series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  expect(all).toBe(refusals.reduce((sum, { count }) => sum + count, 0));
});
