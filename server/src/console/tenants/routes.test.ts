import { type Client, tenantsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { addPerson, addTenant, createTestConsole } from '../../../test/console.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { createTenantsHandlers } from './routes.ts';

let database: TestDatabase;
let operator: Client<typeof tenantsRoutes>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const handlers = createTenantsHandlers({ system: createSystemDatabase(pool) });
  const tenantId = await addTenant(pool, 'Northwind');
  for (const name of ['contoso', 'Adventure', '50%']) await addTenant(pool, name);
  const principal = await addPerson(pool, tenantId, 'super_admin', 'root@one.test');
  operator = createTestConsole(pool, tenantsRoutes, handlers)({ principal });
});
afterAll(() => database.close());

it('operators see all tenants by name, a page of them with the number of all', async () => {
  let total: string | null = null;
  const page = await operator.listTenants(
    { query: { skip: 1, limit: 2 } },
    { onHeaders: (headers) => (total = headers.get('x-total-count')) },
  );
  expect(page).toMatchObject([
    { name: 'Adventure', slug: 'adventure', status: 'active' },
    { name: 'contoso', slug: 'contoso' },
  ]);
  expect(total).toBe('4');
});

it('operators find tenants by part of a name, whose wildcards are letters', async () => {
  const find = async (search: string) =>
    (await operator.listTenants({ query: { search } })).map(({ name }) => name);
  expect(await find('VENT')).toEqual(['Adventure']);
  expect(await find('%')).toEqual(['50%']);
});

it('the own tenant is one of them', async () => {
  const mine = await operator.getMyTenant();
  expect((await operator.listTenants({})).filter(({ id }) => id === mine.id)).toEqual([mine]);
});
