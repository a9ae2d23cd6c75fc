import type { ApiKey } from '@sluice/contract';
import { expect, it } from 'vitest';
import { keepExpiry, namedKeyForm, toFields } from './named-key-form.ts';

it('namedKeyForm converts empty fields to no restrictions', () => {
  expect(namedKeyForm.parse({ ...toFields(null), name: 'CI' })).toEqual({
    name: 'CI',
    scopes: ['completions', 'embeddings', 'models'],
    models: null,
    dialects: null,
    allowed_networks: null,
    task_id: null,
    labels: {},
    expires_at: null,
  });
});

it('toFields is the inverse of namedKeyForm', () => {
  const key = {
    name: 'CI',
    scopes: ['models'],
    models: ['a', 'b'],
    dialects: ['gemini'],
    allowed_networks: ['192.0.2.0/24', '2001:db8::/32'],
    task_id: 4,
    labels: { project: 'x', note: 'a=b' },
  };
  // safe because only these fields are read
  const fields = toFields(key as Partial<ApiKey> as ApiKey);
  expect(fields.expires_at).toBe(keepExpiry);
  expect(namedKeyForm.parse(fields)).toEqual({ ...key, expires_at: undefined });
});

it('namedKeyForm reports an invalid network and an invalid label', () => {
  const fields = { ...toFields(null), name: 'CI', allowed_networks: 'office', labels: 'Cost center=1' };
  const paths = namedKeyForm.safeParse(fields).error?.issues.map(({ path }) => path[0]);
  expect(paths).toEqual(['allowed_networks', 'labels']);
});
