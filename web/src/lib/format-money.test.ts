import { describe, expect, it } from 'vitest';
import {
  formatLedgerAmount,
  formatLifetimeSpent,
  formatPlanPrice,
  formatRate,
  formatSignedUsd,
  formatUsd,
  formatUsdExact,
  formatUsdTick,
} from './format-money.ts';

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [12.4, '$12.40'],
    [1234.5678, '$1,234.57'],
    [0.01, '$0.01'],
    [0.0099999, '$0.01'],
    [0.0042, '$0.0042'],
    [0.00004, '$0.00004'],
    [0.0000012, '$0.000001'],
    [0.0000001, '<$0.000001'],
    [-3.5, '-$3.50'],
    [-0.0042, '-$0.0042'],
  ])('formatUsd(%d) returns %s', (amount, text) => {
    expect(formatUsd(amount)).toBe(text);
  });

  it.each([
    [12.4, 4, '$12.4000'],
    [1482.63105, 4, '$1,482.6311'],
    [0.0000035, 6, '$0.000004'],
    [29, 2, '$29.00'],
  ] as const)('formatUsdExact(%d, %d) returns %s', (amount, decimals, text) => {
    expect(formatUsdExact(amount, decimals)).toBe(text);
  });

  it.each([
    [0, '$0.000000'],
    [0.009999, '$0.009999'],
    [0.01, '$0.01'],
    [120.5, '$120.50'],
  ])('formatLifetimeSpent(%d) returns %s', (amount, text) => {
    expect(formatLifetimeSpent(amount)).toBe(text);
  });

  it.each([
    [5, '+$5.00'],
    [-0.0042, '-$0.0042'],
  ])('formatSignedUsd(%d) returns %s', (amount, text) => {
    expect(formatSignedUsd(amount)).toBe(text);
  });

  it.each([
    [50, '+$50.000000'],
    [-0.011234, '-$0.011234'],
    [-0.00464, '-$0.004640'],
  ])('formatLedgerAmount(%d) returns %s', (amount, text) => {
    expect(formatLedgerAmount(amount)).toBe(text);
  });

  it.each([
    [29, '$29'],
    [9.5, '$9.50'],
  ])('formatPlanPrice(%d) returns %s', (amount, text) => {
    expect(formatPlanPrice(amount)).toBe(text);
  });

  it.each([
    [0, '$0.00'],
    [0.5, '$0.50'],
    [2, '$2.00'],
    [0.075, '$0.075'],
    [0.00015, '$0.00015'],
  ])('formatRate(%d) returns %s', (amount, text) => {
    expect(formatRate(amount)).toBe(text);
  });

  it.each([
    [[0, 12], 12, ['$0.00', '$12.00']],
    [[0, 0.25, 0.75], 0.83, ['$0.00', '$0.25', '$0.75']],
    [[0, 0.045, 0.09], 0.18, ['$0.000', '$0.045', '$0.090']],
    [[0, 0.0055], 0.022, ['$0.0000', '$0.0055']],
    [[0, 0.0001], 0.0004, ['$0.000000', '$0.000100']],
  ])(
    'formatUsdTick formats the ticks %j of an axis up to %d differently and with the same number of decimals',
    (ticks, top, texts) => {
      expect(ticks.map((tick) => formatUsdTick(tick, top))).toEqual(texts);
    },
  );
});
