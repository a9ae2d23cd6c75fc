import { managedObjectsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createManagedObjectsHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
beforeAll(async () => {
  database = await createTestDatabase();
  const [own, other] = [await addTenant(database.pool, 'One'), await addTenant(database.pool, 'Two')];
  admin = await addPerson(database.pool, own, 'admin', 'ada@one.test');
  await database.pool.query(
    `INSERT INTO managed_objects (tenant_id, kind, object_id, name, file) VALUES
       ($1, 'team', 1, 'Platform', 'sluice.yaml'), ($1, 'team', 2, 'Research', 'sluice.yaml'),
       ($1, 'user', 1, 'ada', 'people.yaml'), ($2, 'team', 3, 'Foreign', 'foreign.yaml')`,
    [own, other],
  );
});
afterAll(() => database.close());

it("listManagedObjects counts the tenant's objects by kind and file", async () => {
  const console = createTestConsole(database.pool, managedObjectsRoutes, createManagedObjectsHandlers());
  expect(await console({ principal: admin }).listManagedObjects()).toEqual([
    { kind: 'team', file: 'sluice.yaml', objects: 2 },
    { kind: 'user', file: 'people.yaml', objects: 1 },
  ]);
});
