import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createKeyring } from '#platform/keyring.ts';
import { clientSecretPlace, openSecret } from '#platform/seal-secret.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { syncIdentityProvider } from './sync-identity-provider.ts';

const keyring = createKeyring('test');
const given = { issuer: 'https://id.example', clientId: 'sluice', clientSecret: 'first', domain: 'one.test' };

let database: TestDatabase;
let tenantId: number;
let warnings: object[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants');
  tenantId = await addTenant(database.pool, 'One');
  await addTenant(database.pool, 'Two');
  warnings = [];
});

const sync = (changed: Partial<typeof given> = {}) =>
  syncIdentityProvider(
    createSystemDatabase(database.pool),
    keyring,
    { ...given, ...changed },
    { warn: (fields: object) => warnings.push(fields) },
  );
const readProviders = async () => {
  const { rows } = await database.pool.query<{ id: number; name: string; sealed_client_secret: Buffer }>(
    'SELECT * FROM identity_providers ORDER BY id',
  );
  return rows.map(({ sealed_client_secret: sealed, ...row }) => ({
    ...row,
    secret: openSecret(keyring.sealingKey, clientSecretPlace(tenantId, row.id), sealed),
  }));
};

it('syncIdentityProvider adds a shared provider and confirms the domain of the first tenant', async () => {
  await sync();
  expect(await readProviders()).toMatchObject([
    {
      tenant_id: tenantId,
      name: 'id.example',
      issuer: 'https://id.example',
      is_shared: true,
      callback_key: 'environment',
      secret: 'first',
    },
  ]);
  const { rows } = await database.pool.query('SELECT tenant_id, name, confirmed_at FROM domains');
  expect(rows).toEqual([{ tenant_id: tenantId, name: 'one.test', confirmed_at: expect.any(Date) }]);
});

it('syncIdentityProvider updates only the client secret of a provider that it added before', async () => {
  await sync();
  await database.pool.query("UPDATE identity_providers SET name = 'Acme', is_shared = false");
  await sync({ clientSecret: 'second' });
  expect(await readProviders()).toMatchObject([{ name: 'Acme', is_shared: false, secret: 'second' }]);
});

it.each(['https://id.example', 'https://id.example/'])(
  'syncIdentityProvider finds the provider with the issuer %s again with and without a slash',
  async (issuer) => {
    await sync({ issuer });
    await sync({ issuer: 'https://id.example' });
    await sync({ issuer: 'https://id.example/' });
    expect(await readProviders()).toMatchObject([{ issuer }]);
  },
);

it.each(['gmail.com', 'two.test'])(
  'syncIdentityProvider logs the domain %s, which the first tenant cannot own',
  async (domain) => {
    await database.pool.query(
      "INSERT INTO domains (tenant_id, name, confirmed_at) SELECT id, 'two.test', now() FROM tenants WHERE name = 'Two'",
    );
    await sync({ domain });
    expect(warnings).toMatchObject([{ domain }]);
    expect(await readProviders()).toHaveLength(1);
    const { rows } = await database.pool.query('SELECT id FROM domains WHERE tenant_id = $1', [tenantId]);
    expect(rows).toEqual([]);
  },
);

it('syncIdentityProvider adds another client of the same issuer under another name', async () => {
  await sync();
  await sync({ clientId: 'other' });
  expect(await readProviders()).toMatchObject([
    { name: 'id.example', callback_key: 'environment' },
    { name: 'id.example 2', callback_key: null },
  ]);
});
