import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createKeyring } from '#platform/keyring.ts';
import { openSecret, sealSecret, totpSecretPlace } from '#platform/seal-secret.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { resealAll } from './reseal.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('resealAll seals the secrets of authenticator apps with the new key', async () => {
  const { userId, tenantId } = await addPerson(
    database.pool,
    await addTenant(database.pool, 'One'),
    'user',
    'mara@one.test',
  );
  const former = createKeyring('the former secret');
  const place = totpSecretPlace(tenantId, 7);
  await database.pool.query(
    `INSERT INTO totp_authenticators (id, tenant_id, user_id, sealed_secret) OVERRIDING SYSTEM VALUE VALUES (7, $1, $2, $3)`,
    [tenantId, userId, sealSecret(former.sealingKey, place, 'GEZDGNBV')],
  );
  const { sealingKey } = createKeyring('the new secret', { formerSecrets: ['the former secret'] });
  expect(await resealAll(createSystemDatabase(database.pool), sealingKey)).toEqual({
    changed: 1,
    broken: [],
  });
  const { rows } = await database.pool.query('SELECT sealed_secret FROM totp_authenticators');
  const alone = createKeyring('the new secret').sealingKey;
  expect(openSecret(alone, place, rows[0].sealed_secret)).toBe('GEZDGNBV');
});
