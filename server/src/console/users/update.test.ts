import { usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createUsersHandlers } from './routes.ts';

const roleIds = { super_admin: 1, admin: 2, user: 3 };

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof usersRoutes>>>;
let tenantId: number;
let admin: Principal;
let superAdmin: Principal;
let mara: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(
    database.pool,
    usersRoutes,
    createUsersHandlers({ passwords: { hash: async (password) => `hash of ${password}` } }),
  );
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  tenantId = await addTenant(database.pool, 'One', { adminLimit: 2, userLimit: 2 });
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  superAdmin = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
});

const idOf = ({ userId }: Principal) => ({ params: { id: userId } });
const versionOf = async ({ userId }: Principal) => {
  const { rows } = await database.pool.query('SELECT token_version FROM users WHERE id = $1', [userId]);
  return rows[0].token_version;
};

describe('updateUser', () => {
  it('updateUser rejects an email of a domain that another tenant owns, unless the user has it already', async () => {
    const two = await addTenant(database.pool, 'Two');
    const names = ['two.test', 'before.test'];
    for (const name of names)
      await database.pool.query(
        'INSERT INTO domains (tenant_id, name, confirmed_at) VALUES ($1, $2, now())',
        [two, name],
      );
    const rename = (email: string) => as(admin).updateUser({ ...idOf(mara), body: { email } });
    await expect(rename('mara@two.test')).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'email'] }],
    });
    await database.pool.query("UPDATE users SET email = 'mara@before.test' WHERE id = $1", [mara.userId]);
    expect(await rename('mara@before.test')).toMatchObject({ email: 'mara@before.test' });
  });

  it('updateUser changes only the given fields and returns the row', async () => {
    const before = await as(admin).getUser(idOf(mara));
    const after = await as(admin).updateUser({ ...idOf(mara), body: { daily_quota: 0, name: ' Mara K ' } });
    expect(after).toEqual({ ...before, daily_quota: 0, name: 'Mara K' });
    expect(await as(admin).updateUser({ ...idOf(mara), body: {} })).toEqual(after);
  });

  it('updateUser keeps both changes when two callers edit different fields concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        as(admin).updateUser({ ...idOf(mara), body: { daily_quota: round } }),
        as(superAdmin).updateUser({ ...idOf(mara), body: { monthly_quota: round } }),
        as(admin).updateUser({ ...idOf(mara), body: { name: `Mara ${round}` } }),
      ]);
      expect(await as(admin).getUser(idOf(mara))).toMatchObject({
        daily_quota: round,
        monthly_quota: round,
        name: `Mara ${round}`,
      });
    }
  });

  it("updateUser rejects an email of another user, but accepts the user's current email in another case", async () => {
    await expect(
      as(admin).updateUser({ ...idOf(mara), body: { email: 'Admin@One.test' } }),
    ).rejects.toMatchObject({ status: 422, detail: [{ loc: ['body', 'email'] }] });
    const after = await as(admin).updateUser({ ...idOf(mara), body: { email: 'Mara@One.test' } });
    expect(after.email).toBe('mara@one.test');
  });

  it('updateUser ends the sessions after a role change or a deactivation, but not after other changes', async () => {
    await as(admin).updateUser({
      ...idOf(mara),
      body: { name: 'M', email: 'm@one.test', daily_quota: null, role_id: roleIds.user, is_active: true },
    });
    expect(await versionOf(mara)).toBe(1);
    await as(admin).updateUser({ ...idOf(mara), body: { role_id: roleIds.admin } });
    expect(await versionOf(mara)).toBe(2);
    await as(admin).updateUser({ ...idOf(mara), body: { is_active: false } });
    expect(await versionOf(mara)).toBe(3);
    await as(admin).updateUser({ ...idOf(mara), body: { is_active: false } });
    await as(admin).updateUser({ ...idOf(mara), body: { is_active: true } });
    expect(await versionOf(mara)).toBe(3);
  });

  it('updateUser rejects unknown fields', async () => {
    for (const field of ['tenant_id', 'is_blocked', 'token_version', 'password', 'password_hash', 'id']) {
      const update = as(admin).updateUser({ ...idOf(mara), body: { [field]: 1 } });
      await expect(update, field).rejects.toThrow(/unrecognized_keys/);
    }
  });
});

describe('role rules', () => {
  it('updateUser lets an administrator promote to administrator, but not to super administrator', async () => {
    const promote = (role: keyof typeof roleIds) =>
      as(admin).updateUser({ ...idOf(mara), body: { role_id: roleIds[role] } });
    await expect(promote('super_admin')).rejects.toMatchObject({ status: 403 });
    expect((await promote('admin')).role_name).toBe('admin');
  });

  it('user routes require a super administrator to change a super administrator', async () => {
    const second = await addPerson(database.pool, tenantId, 'super_admin', 'second@one.test');
    const touches = (actor: Principal) => [
      () => as(actor).updateUser({ ...idOf(second), body: { name: 'X' } }),
      () => as(actor).changeUserPassword({ ...idOf(second), body: { password: 'secret1' } }),
      () => as(actor).blockUser({ ...idOf(second), query: { reason: 'x' } }),
      () => as(actor).unblockUser(idOf(second)),
    ];
    for (const touch of touches(admin)) await expect(touch()).rejects.toMatchObject({ status: 403 });
    for (const touch of touches(superAdmin)) await expect(touch()).resolves.toBeDefined();
  });

  it('updateUser rejects changing your own role or deactivating yourself', async () => {
    const change = (actor: Principal, body: object) => as(actor).updateUser({ ...idOf(actor), body });
    await expect(change(admin, { role_id: roleIds.user })).rejects.toMatchObject({
      status: 403,
      detail: 'You cannot change your own role',
    });
    await expect(change(superAdmin, { is_active: false })).rejects.toMatchObject({
      status: 403,
      detail: 'You cannot deactivate yourself',
    });
    await expect(
      change(admin, { role_id: roleIds.admin, is_active: true, name: 'A' }),
    ).resolves.toMatchObject({
      name: 'A',
    });
  });

  it('updateUser enforces plan limits on concurrent promotions', async () => {
    const other = await addPerson(database.pool, tenantId, 'user', 'other@one.test');
    const outcomes = await Promise.allSettled(
      [mara, other].map((person) =>
        as(admin).updateUser({ ...idOf(person), body: { role_id: roleIds.admin } }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('updateUser enforces plan limits on reactivation, and allows other edits above the limits', async () => {
    await as(admin).updateUser({ ...idOf(mara), body: { is_active: false } });
    for (const place of [1, 2, 3]) {
      await addPerson(database.pool, tenantId, 'user', `new${place}@one.test`);
    }
    await expect(as(admin).updateUser({ ...idOf(mara), body: { is_active: true } })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'is_active'] }],
    });
    await expect(
      as(admin).updateUser({ ...idOf(mara), body: { name: 'Still here' } }),
    ).resolves.toMatchObject({ name: 'Still here' });
  });
});

describe('the last super administrator', () => {
  const lastSuperAdminError = {
    status: 409,
    detail: 'This is the last active super administrator. Make another user a super administrator first.',
  };

  it('one super administrator remains when two demote or deactivate each other, in each of 50 rounds', async () => {
    const second = await addPerson(database.pool, tenantId, 'super_admin', 'second@one.test');
    await database.pool.query('UPDATE tenants SET user_limit = NULL');
    for (let round = 0; round < 50; round++) {
      const loss = round % 2 === 0 ? { role_id: roleIds.user } : { is_active: false };
      const outcomes = await Promise.allSettled([
        as(superAdmin).updateUser({ ...idOf(second), body: loss }),
        as(second).updateUser({ ...idOf(superAdmin), body: loss }),
      ]);
      const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refusals.map(({ reason }) => reason)).toEqual([expect.objectContaining(lastSuperAdminError)]);
      await database.pool.query('UPDATE users SET role_id = 1, is_active = true WHERE id = ANY($1)', [
        [superAdmin.userId, second.userId],
      ]);
    }
  });

  it('one super administrator remains when two of different tenants demote, deactivate or block each other concurrently', async () => {
    const elsewhere = await addTenant(database.pool, 'Two');
    const second = await addPerson(database.pool, elsewhere, 'super_admin', 'second@two.test');
    const [superHere, secondHere] = [
      { ...superAdmin, tenantId: elsewhere },
      { ...second, tenantId },
    ];
    const ways = [
      [{ role_id: roleIds.admin }, { is_active: false }],
      [{ is_active: false }, { role_id: roleIds.user }],
    ];
    for (const [mine, theirs] of ways) {
      const outcomes = await Promise.allSettled([
        as(superHere).updateUser({ ...idOf(second), body: mine! }),
        as(secondHere).updateUser({ ...idOf(superAdmin), body: theirs! }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await database.pool.query('UPDATE users SET role_id = 1, is_active = true WHERE id = ANY($1)', [
        [superAdmin.userId, second.userId],
      ]);
    }
    const blocks = await Promise.allSettled([
      as(superHere).blockUser({ ...idOf(second), query: { reason: 'x' } }),
      as(secondHere).blockUser({ ...idOf(superAdmin), query: { reason: 'x' } }),
    ]);
    expect(blocks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('blocked or inactive super administrators do not count as remaining super administrators', async () => {
    const blocked = await addPerson(database.pool, tenantId, 'super_admin', 'blocked@one.test');
    const inactive = await addPerson(database.pool, tenantId, 'super_admin', 'inactive@one.test');
    await database.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [blocked.userId]);
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [inactive.userId]);
    const stale = as(blocked);
    await expect(stale.blockUser({ ...idOf(superAdmin), query: { reason: 'x' } })).rejects.toMatchObject(
      lastSuperAdminError,
    );
  });

  it('the last super administrator cannot be deleted by SQL', async () => {
    const deletion = database.pool.query('DELETE FROM users WHERE id = $1', [superAdmin.userId]);
    await expect(deletion).rejects.toMatchObject({ constraint: 'users_keep_a_super_admin' });
  });

  it('updateUser lets a super administrator demote the last administrator of a tenant', async () => {
    const after = await as(superAdmin).updateUser({ ...idOf(admin), body: { role_id: roleIds.user } });
    expect(after.role_name).toBe('user');
  });
});
