import { describe, expect, it } from 'vitest';
import { formatLifetimeSpent, formatSignedUsd, formatUsd, formatUsdExact } from './format-money.ts';

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [12.4, '$12.40'],
    [0.0042, '$0.0042'],
    [0.00004, '$0.00'],
    [1482.631, '$1,482.631'],
    [-3.5, '-$3.50'],
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
});
