import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/**
 * Counts the allowances whose leased amount differs from the sum of their nodes' leases. A single statement sees one
 * state of the database, so concurrent leasing causes no false drift.
 */
export async function countLeaseDrifts(database: NodePgDatabase): Promise<number> {
  const { rows } = await database.execute<{ drifts: number }>(sql`
    SELECT count(*)::int AS drifts FROM (
      SELECT allowance_id, sum(granted - returned - spent) AS held
      FROM leases WHERE NOT is_reaped GROUP BY allowance_id
    ) l FULL JOIN (SELECT id, leased FROM allowances WHERE leased <> 0) a ON a.id = l.allowance_id
    WHERE COALESCE(l.held, 0) <> COALESCE(a.leased, 0)`);
  return rows[0]?.drifts ?? 0;
}
