import type pg from 'pg';

/** Returns which of these requests already have a row. */
export async function findShipped(pool: pg.Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM request_logs WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}
