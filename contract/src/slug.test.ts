import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveSlug } from './fields.ts';
import { createTenantBody } from './routes/tenants.ts';

it.each([
  ['Acme GmbH', 'acme-gmbh'],
  ['  Čapek & Söhne / Straße 7 ', 'capek-sohne-strasse-7'],
  ['--3M--', '3m'],
  ['株式会社', ''],
  ['1234', ''],
  ['a'.repeat(200), 'a'.repeat(50)],
])('deriveSlug(%s) returns %s', (name, slug) => {
  expect(deriveSlug(name)).toBe(slug);
});

it('deriveSlug returns an empty string or a valid tenant slug', () => {
  const { slug } = createTenantBody.shape;
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const derived = deriveSlug(name);
      return derived === '' || slug.safeParse(derived).success;
    }),
  );
});
