import type pg from 'pg';

export const losses = {
  demotion: 'UPDATE users SET role_id = 2 WHERE id = $1',
  block: 'UPDATE users SET is_blocked = true WHERE id = $1',
  deactivation: 'UPDATE users SET is_active = false WHERE id = $1',
  deletion: 'DELETE FROM users WHERE id = $1',
} as const;

export type Loss = keyof typeof losses;

const ways = Object.keys(losses) as Loss[]; // safe because Object.keys returns the keys of `losses`

export const pairs = ways.flatMap((one, index) => ways.slice(index).map((other) => ({ one, other })));

export async function addSuperAdmin(pool: pg.Pool, tenantId: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     VALUES ($1, 1, $2, 'Super', 'x') RETURNING id`,
    [tenantId, `${crypto.randomUUID()}@example.test`],
  );
  return rows[0]?.id ?? 0;
}

export async function countSuperAdmins(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int FROM users WHERE role_id = 1 AND is_active AND NOT is_blocked',
  );
  return rows[0]?.count ?? 0;
}

/** Returns the rejected removals and the number of remaining super administrators. */
export async function raceLosses(
  pool: pg.Pool,
  { one, other }: (typeof pairs)[number],
): Promise<{ refusals: unknown[]; left: number }> {
  const both = [await addSuperAdmin(pool, 1), await addSuperAdmin(pool, 2)];
  await pool.query('UPDATE users SET role_id = 2 WHERE role_id = 1 AND id <> ALL($1)', [both]);
  const outcomes = await Promise.allSettled([
    pool.query(losses[one], [both[0]]),
    pool.query(losses[other], [both[1]]),
  ]);
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  return { refusals, left: await countSuperAdmins(pool) };
}
