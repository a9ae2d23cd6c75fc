import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTenantBody } from './routes/tenants.ts';
import { deriveSlug } from './slug.ts';

it.each([
  ['Acme GmbH', 'acme-gmbh'],
  ['  Čapek & Söhne / Straße 7 ', 'capek-sohne-strasse-7'],
  ['--3M--', '3m'],
  ['株式会社', ''],
  ['1234', ''],
  ['a'.repeat(200), 'a'.repeat(50)],
])('%s is called %s', (name, slug) => {
  expect(deriveSlug(name)).toBe(slug);
});

it('is empty, or a slug that a tenant may have', () => {
  const { slug } = createTenantBody.shape;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const derived = deriveSlug(name);
      return derived === '' || slug.safeParse(derived).success;
    }),
  );
});
