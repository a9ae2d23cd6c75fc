import { authRoutes, permissionsOfRole } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createAuthHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let otherTenantId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'a@one.test');
  otherTenantId = await addTenant(database.pool, 'Two');
});
afterAll(() => database.close());

const ask = (principal: Principal) =>
  createTestConsole(
    database.pool,
    authRoutes,
    createAuthHandlers({
      database: createSystemDatabase(database.pool),
      keyring: createKeyring('test'),
      passwords: createPasswordHasher(),
      clock: Date.now,
    }),
  )({ principal }).getCurrentUser();

it('getCurrentUser returns the caller with the tenant and the permissions of the role', async () => {
  expect(await ask(admin)).toEqual({
    id: admin.userId,
    name: 'a',
    email: 'a@one.test',
    role: { name: 'admin', permissions: permissionsOfRole('admin') },
    tenant: { id: admin.tenantId, name: 'One', slug: 'one', time_zone: 'UTC' },
    second_factor: { is_on: false, is_required: false },
    preferences: null,
  });
});

it('getCurrentUser returns the tenant that a super administrator acts for', async () => {
  const answer = await ask({ ...admin, role: 'super_admin', tenantId: otherTenantId });
  expect(answer.tenant.name).toBe('Two');
  expect(answer.role.permissions).toContain('super_admin');
});

it('getCurrentUser lists teams.manage only for users who administer an active team', async () => {
  const person = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  const rights = async () => (await ask(person)).role.permissions;
  expect(await rights()).not.toContain('teams.manage');
  await database.pool.query(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, 'Own') RETURNING id)
     INSERT INTO team_members (tenant_id, team_id, user_id, role) SELECT $1, id, $2, 'admin' FROM team`,
    [person.tenantId, person.userId],
  );
  expect(await rights()).toEqual(permissionsOfRole('user'));
  await database.pool.query('UPDATE teams SET is_active = false WHERE tenant_id = $1', [person.tenantId]);
  expect(await rights()).not.toContain('teams.manage');
});

it('getCurrentUser lists only the permission to view their own account for a blocked user', async () => {
  const { role } = await ask({ ...admin, blockedReason: 'Off topic' });
  expect(role).toEqual({ name: 'admin', permissions: ['account.read'] });
});
