import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { describeItem, evenTicks, type Item, tabulateItems, tabulateSeries } from './chart-data.ts';

const items: Item[] = [
  { label: 'Coding', value: 8009, color: 'red' },
  { label: 'Off topic', value: 10_195, color: 'blue' },
];

describe('chart tables', () => {
  it('describeItem shows shares with one decimal', () => {
    expect(describeItem({ label: 'Coding', value: 8009, color: 'red' }, items)).toBe('Coding: 8,009 (44.0%)');
    expect(describeItem({ label: 'None', value: 0, color: 'red' }, [])).toBe('None: 0 (0.0%)');
  });

  it('tabulateSeries lists every day of every series, including days without a value', () => {
    const series = [
      { label: 'Tokens', color: 'red', values: [1200, null] },
      { label: 'Users', color: 'blue', values: [3] },
    ];
    expect(tabulateSeries(['2026-11-19', '2026-11-20'], series)).toEqual({
      columns: ['Date', 'Tokens', 'Users'],
      rows: [
        ['Thursday, Nov 19, 2026', '1,200', '3'],
        ['Friday, Nov 20, 2026', 'No data', 'No data'],
      ],
    });
  });

  it('tabulateSeries marks the day that has not ended', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z'), toFake: ['Date'] });
    const series = [{ label: 'Tokens', color: 'red', values: [1200, 80] }];
    expect(tabulateSeries(['2026-11-19', '2026-11-20'], series).rows).toEqual([
      ['Thursday, Nov 19, 2026', '1,200'],
      ['Friday, Nov 20, 2026, so far', '80'],
    ]);
    vi.useRealTimers();
  });

  it('tabulateItems lists values and shares, or the details of an item', () => {
    expect(tabulateItems(items, { label: 'Intent', value: 'Requests' })).toEqual({
      columns: ['Intent', 'Requests', 'Share'],
      rows: [
        ['Coding', '8,009', '44.0%'],
        ['Off topic', '10,195', '56.0%'],
      ],
    });
    const detailed = [{ label: 'gpt-5', value: 12, color: 'red', details: [['Users', '3']] as const }];
    expect(tabulateItems(detailed, { label: 'Model', value: 'Requests' })).toEqual({
      columns: ['Model', 'Users'],
      rows: [['gpt-5', '3']],
    });
  });
});

it('describeItem returns percentages that add up to 100 and differ from the exact share by at most 0.1', () => {
  const values = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(values, (counts) => {
      const parts = counts.map((value) => ({ label: 'Part', value, color: 'red' }));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const shown = parts.map((part) => Number(/\(([\d.]+)%\)/.exec(describeItem(part, parts))?.[1]));
      const sum = shown.reduce((all, percent) => all + Math.round(percent * 10), 0);
      expect(sum).toBe(total === 0 ? 0 : 1000);
      for (const [place, percent] of shown.entries()) {
        const exact = total === 0 ? 0 : ((counts[place] ?? 0) / total) * 100;
        expect(Math.abs(percent - exact)).toBeLessThan(0.1 + 1e-9);
      }
    }),
  );
});

it.each([
  [50, false, [0, 10, 20, 30, 40, 50]],
  [1, false, [0, 0.25, 0.5, 0.75, 1]],
  [0.54, false, [0, 0.27, 0.54]],
  [500_000, true, [0, 100_000, 200_000, 300_000, 400_000, 500_000]],
  [3, true, [0, 3]],
])('evenTicks(%d, %s) returns evenly spaced ticks', (max, isWhole, ticks) => {
  expect(evenTicks(max, isWhole).map((tick) => Number(tick.toPrecision(9)))).toEqual(ticks);
});
