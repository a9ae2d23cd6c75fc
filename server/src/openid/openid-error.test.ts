import { importJWK } from 'jose';
import { expect, it } from 'vitest';
import { toOpenIdError } from './openid-error.ts';

const malformedKeys = {
  'coordinates that are no point': { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
  'an unknown type': { kty: 'secret' },
  'no type': {},
};

it.each(Object.entries(malformedKeys))('toOpenIdError reports a key with %s as invalid', async (_, key) => {
  const error: unknown = await importJWK(key as never, 'ES256').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(toOpenIdError(error)).toMatchObject({ name: 'OpenIdError', kind: 'invalid' });
});

it('toOpenIdError does not quote unknown errors', () => {
  const error = toOpenIdError(new TypeError('secret details'));
  expect(error).toMatchObject({ kind: 'invalid' });
  expect(error.message).not.toContain('secret');
});
