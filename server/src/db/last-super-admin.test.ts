import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';

/** Every way to lose a super administrator, as whoever writes to the database can go it. */
const losses: Readonly<Record<string, string>> = {
  demotion: 'UPDATE users SET role_id = 2 WHERE id = $1',
  block: 'UPDATE users SET is_blocked = true WHERE id = $1',
  deactivation: 'UPDATE users SET is_active = false WHERE id = $1',
  deletion: 'DELETE FROM users WHERE id = $1',
};
const pairs = Object.keys(losses).flatMap((one) => Object.keys(losses).map((other) => ({ one, other })));
const roundsPerPair = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("INSERT INTO tenants (name, slug) VALUES ('One', 'one'), ('Two', 'two')");
});
afterAll(() => database.close());

async function addSuperAdmin(tenantId: number): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     VALUES ($1, 1, $2, 'Super', 'x') RETURNING id`,
    [tenantId, `${crypto.randomUUID()}@example.test`],
  );
  return rows[0]!.id;
}

const countSuperAdmins = async () =>
  (
    await database.pool.query<{ count: number }>(
      'SELECT count(*)::int FROM users WHERE role_id = 1 AND is_active AND NOT is_blocked',
    )
  ).rows[0]!.count;

describe('the last active super administrator', () => {
  it.each(pairs)('outlives a $one and a $other at once', async ({ one, other }) => {
    for (let round = 0; round < roundsPerPair; round++) {
      const [first, second] = [await addSuperAdmin(1), await addSuperAdmin(2)];
      // Those of earlier rounds go, so that these two are all there are.
      await database.pool.query('UPDATE users SET role_id = 2 WHERE role_id = 1 AND id <> ALL($1)', [
        [first, second],
      ]);
      expect(await countSuperAdmins()).toBe(2);
      const outcomes = await Promise.allSettled([
        database.pool.query(losses[one]!, [first]),
        database.pool.query(losses[other]!, [second]),
      ]);
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refusals).toEqual([expect.objectContaining({ constraint: 'users_keep_a_super_admin' })]);
      expect(await countSuperAdmins()).toBe(1);
    }
  });

  it('outlives both losses in one statement, and the end of the tenant', async () => {
    const { rows } = await database.pool.query<{ id: number; tenant_id: number }>(
      'SELECT id, tenant_id FROM users WHERE role_id = 1 AND is_active AND NOT is_blocked',
    );
    const [last] = rows;
    await addSuperAdmin(1);
    const all = database.pool.query('UPDATE users SET is_blocked = true WHERE role_id = 1');
    await expect(all).rejects.toMatchObject({ constraint: 'users_keep_a_super_admin' });
    const end = database.pool.query('DELETE FROM tenants WHERE id = $1', [last!.tenant_id]);
    await expect(end).rejects.toMatchObject({ constraint: 'users_tenant_id_fkey' });
    expect(await countSuperAdmins()).toBe(2);
  });
});
