import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashToAlphanumerics, makeCallId } from './call-id.ts';

it('the same seed makes the same id, on every node and in every turn', () => {
  expect(makeCallId('answer/0/weather')).toBe('call_IREtw5T9RGoKrx3yU10rX6JJ');
  expect(hashToAlphanumerics('answer/0/weather', 9)).toBe('IREtw5T9R');
});

it('ids are letters and digits of the length that was asked for, which all protocols take', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 30 }), (seed, length) => {
      expect(hashToAlphanumerics(seed, length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
      expect(makeCallId(seed)).toMatch(/^call_[A-Za-z0-9]{24}$/);
    }),
  );
});

it('different seeds make different ids', () => {
  const seeds = Array.from({ length: 10_000 }, (_, index) => `call_${index}`);
  expect(new Set(seeds.map((seed) => hashToAlphanumerics(seed, 9))).size).toBe(seeds.length);
});
