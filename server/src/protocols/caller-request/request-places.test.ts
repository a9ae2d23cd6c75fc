import { expect, it } from 'vitest';
import { findPlace } from './request-places.ts';

it('findPlace reads a key of 200,000 accents in less than 500 ms', () => {
  const accents = `a${'\u0315\u0316'.repeat(100_000)}`;
  const startedMs = performance.now();
  expect(findPlace({ [accents]: { [accents]: 'x' } }, 'openai-chat', () => false)).toBeNull();
  expect(performance.now() - startedMs).toBeLessThan(500);
});

it.each(['model', 'ｍｏｄｅｌ', `model${'-'.repeat(2_000)}`])(
  'findPlace finds a model under the key %s',
  (key) => {
    const request = { settings: { [key]: 'other' } };
    expect(findPlace(request, 'openai-chat', ({ value }) => value === 'other')).toContain('settings');
  },
);
