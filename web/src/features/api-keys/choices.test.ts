import { expect, it } from 'vitest';
import { createForm, listLifetimes, regenerateForm } from './choices.ts';

const made = '2026-11-01T08:00:00.000Z';

it.each([
  [null, ''],
  ['2026-12-01T08:00:00.000Z', '30'],
  ['2026-11-15T09:00:00.000Z', '14'],
  ['2026-11-01T12:00:00.000Z', '1'],
])('listLifetimes with a previous key that expires at %s defaults to %j days', (expires_at, days) => {
  const { options, value } = listLifetimes({ created_at: made, expires_at });
  expect(value).toBe(days);
  expect(options.filter((option) => option.value === value)).toHaveLength(1);
});

it('createForm and regenerateForm convert the form fields to the request body', () => {
  expect(createForm.parse({ scopes: ['models'], expires_at: '' })).toEqual({
    scopes: ['models'],
    expires_at: null,
  });
  const body = regenerateForm.parse({ scopes: ['models'], expires_at: '7', overlap_seconds: '86400' });
  expect(body.overlap_seconds).toBe(86_400);
  const days = (Date.parse(body.expires_at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 3);
  expect(createForm.safeParse({ scopes: [], expires_at: '' }).error?.issues[0]?.message).toBe(
    'Choose at least one scope',
  );
});
