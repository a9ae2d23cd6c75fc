import { describe, expect, it } from 'vitest';
import {
  formatLimit,
  formatPart,
  formatPercentage,
  formatQuantity,
  formatScore,
  formatShare,
  formatSigned,
  formatTokens,
  formatTokenTick,
  formatUse,
} from './format-number.ts';

describe('tokens', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1001, '1K'],
    [12_840, '12.8K'],
    [800_000, '800K'],
    [999_949, '999.9K'],
    [999_950, '1M'],
    [1_000_001, '1M'],
    [128_400_000, '128.4M'],
  ])('formatTokens(%d) returns %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it.each([
    [999, '999'],
    [1000, '1.0K'],
    [1001, '1.0K'],
    [2_500_000, '2.5M'],
  ])('formatTokenTick(%d) returns %s', (tokens, text) => {
    expect(formatTokenTick(tokens)).toBe(text);
  });
});

describe('quantities', () => {
  it('formatQuantity uses the plural except for 1', () => {
    expect(formatQuantity(0, 'request')).toBe('0 requests');
    expect(formatQuantity(1, 'person', 'people')).toBe('1 person');
    expect(formatQuantity(1200, 'person', 'people')).toBe('1,200 people');
  });
});

describe('shares and limits', () => {
  it('formatShare returns one decimal, and formatLimit returns a word if there is no limit', () => {
    expect(formatShare(0.4449)).toBe('44.5%');
    expect(formatLimit(null)).toBe('Unlimited');
    expect(formatLimit(30_000)).toBe('30,000');
  });
});

describe('formatUse', () => {
  it.each([
    [1200, 10_000, 'tokens', '1,200 of 10,000 tokens'],
    [1200, null, 'tokens', '1,200 tokens, unlimited'],
    [0, 100, undefined, '0 of 100'],
    [3, null, undefined, '3, unlimited'],
  ])('formatUse of %s with the limit %s includes both numbers', (used, limit, unit, text) => {
    expect(formatUse(used, limit, unit)).toBe(text);
  });
});

describe('percentages and scores', () => {
  it('formatShare returns one decimal or none', () => {
    expect(formatShare(0.94)).toBe('94.0%');
    expect(formatShare(0.945, 0)).toBe('95%');
  });

  it('formatPercentage returns no trailing zeros', () => {
    expect(formatPercentage(20)).toBe('20%');
    expect(formatPercentage(12.5)).toBe('12.5%');
  });

  it('formatPart returns a dash if the total is 0', () => {
    expect(formatPart(1, 3)).toBe('33.3%');
    expect(formatPart(0, 0)).toBe('–');
  });

  it('formatScore and formatSigned return two decimals unless more are requested', () => {
    expect(formatScore(0.4249)).toBe('0.42');
    expect(formatSigned(0.112, 3)).toBe('+0.112');
    expect(formatSigned(-0.02)).toBe('-0.02');
  });
});
