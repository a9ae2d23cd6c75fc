import { rolesRoutes, userRole } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRolesHandlers } from './routes.ts';

let database: TestDatabase;
let tenantId: number;
let admin: Principal;
beforeAll(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'One', { adminLimit: 2 });
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
});
afterAll(() => database.close());

const listAs = (principal: Principal) =>
  createTestConsole(database.pool, rolesRoutes, createRolesHandlers())({ principal }).listRoles();
const assignable = async (principal: Principal) =>
  (await listAs(principal)).filter((role) => role.can_assign).map((role) => role.name);

it("listRoles returns the roles with ids and the administrator limit of the tenant's plan", async () => {
  expect(await listAs(admin)).toEqual([
    { id: 1, name: 'super_admin', description: expect.any(String), can_assign: false },
    {
      id: 2,
      name: 'admin',
      description: expect.any(String),
      can_assign: true,
      current_count: 1,
      max_allowed: 2,
      limit: { taken: 1, allowed: 2, plan: null },
    },
    userRole,
  ]);
});

it('listRoles marks super administrator as assignable only for a super administrator', async () => {
  expect(await assignable({ ...admin, role: 'super_admin' })).toEqual(['super_admin', 'admin', 'user']);
});

it('listRoles marks administrator as not assignable when the limit is reached', async () => {
  const { userId } = await addPerson(database.pool, tenantId, 'admin', 'second@one.test');
  expect(await assignable(admin)).toEqual(['user']);
  expect(await assignable({ ...admin, role: 'super_admin' })).toEqual(['super_admin', 'user']);
  await database.pool.query('DELETE FROM users WHERE id = $1', [userId]);
});

it('listRoles returns null for a plan without a limit', async () => {
  await database.pool.query('UPDATE tenants SET admin_limit = NULL WHERE id = $1', [tenantId]);
  expect((await listAs(admin))[1]).toMatchObject({ can_assign: true, max_allowed: null });
});

it('listRoles returns the used seats of each limited role and the plan that sets the limit', async () => {
  await database.pool.query(
    "UPDATE tenants SET user_limit = 5, admin_limit = 1, plan_id = 'basic' WHERE id = $1",
    [tenantId],
  );
  expect((await listAs(admin)).map(({ limit }) => limit)).toEqual([
    undefined,
    { taken: 1, allowed: 1, plan: 'Basic' },
    { taken: 0, allowed: 5, plan: 'Basic' },
  ]);
});
