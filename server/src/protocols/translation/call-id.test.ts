import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashToAlphanumerics, makeCallId } from './tool-names.ts';

it('makeCallId and hashToAlphanumerics return a fixed value for a fixed seed', () => {
  expect(makeCallId('answer/0/weather')).toBe('call_IREtw5T9RGoKrx3yU10rX6JJ');
  expect(hashToAlphanumerics('answer/0/weather', 9)).toBe('IREtw5T9R');
});

it('hashToAlphanumerics returns the requested number of letters and digits, and makeCallId 24', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 30 }), (seed, length) => {
      expect(hashToAlphanumerics(seed, length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
      expect(makeCallId(seed)).toMatch(/^call_[A-Za-z0-9]{24}$/);
    }),
  );
});

it('hashToAlphanumerics returns 10,000 different values of length 9 for 10,000 seeds', () => {
  const seeds = Array.from({ length: 10_000 }, (_, index) => `call_${index}`);
  expect(new Set(seeds.map((seed) => hashToAlphanumerics(seed, 9))).size).toBe(seeds.length);
});
