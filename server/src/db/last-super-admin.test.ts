import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { addSuperAdmin, countSuperAdmins, pairs, raceLosses } from '#test/load/last-super-admin.ts';

const roundsPerPair = 8;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("INSERT INTO tenants (name, slug) VALUES ('One', 'one'), ('Two', 'two')");
});
afterAll(() => database.close());

describe('the last active super administrator', () => {
  it.each(pairs)('the last super administrator survives a concurrent $one and $other', async (pair) => {
    for (let round = 0; round < roundsPerPair; round++) {
      expect(await raceLosses(database.pool, pair)).toEqual({
        refusals: [expect.objectContaining({ constraint: 'users_keep_a_super_admin' })],
        left: 1,
      });
    }
  });

  it('the last super administrator survives a statement that blocks all of them, and the deletion of the tenant', async () => {
    const { rows } = await database.pool.query<{ id: number; tenant_id: number }>(
      'SELECT id, tenant_id FROM users WHERE role_id = 1 AND is_active AND NOT is_blocked',
    );
    const [last] = rows;
    await addSuperAdmin(database.pool, 1);
    const all = database.pool.query('UPDATE users SET is_blocked = true WHERE role_id = 1');
    await expect(all).rejects.toMatchObject({ constraint: 'users_keep_a_super_admin' });
    const end = database.pool.query('DELETE FROM tenants WHERE id = $1', [last!.tenant_id]);
    await expect(end).rejects.toMatchObject({ constraint: 'users_tenant_id_fkey' });
    expect(await countSuperAdmins(database.pool)).toBe(2);
  });
});
