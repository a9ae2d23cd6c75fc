import { expect, it } from 'vitest';
import { healthKind } from './provider-health.ts';

it.each([
  [0, 0, 'off'],
  [0, 24, 'ok'],
  [1, 24, 'ok'],
  [1, 15, 'off'],
  [1, 1, 'warn'],
  [2, 2, 'warn'],
  [2, 40, 'warn'],
  [2, 41, 'ok'],
  [3, 16, 'warn'],
  [3, 15, 'bad'],
  [200, 1_000, 'bad'],
] as const)('healthKind of %d failures in %d requests returns %s', (failures, requests, kind) => {
  const error_rate = requests === 0 ? null : failures / requests;
  expect(healthKind({ requests, error_rate, models_in_cooldown: [] })).toBe(kind);
});

it('healthKind returns bad for an instance with a model in cooldown', () => {
  expect(healthKind({ requests: 0, error_rate: null, models_in_cooldown: ['gpt-4o'] })).toBe('bad');
});
