import type pg from 'pg';

/** Which of these requests have their row. */
export async function findShipped(pool: pg.Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM request_logs WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}
