import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/**
 * How many allowances lease another amount than their nodes hold together. One statement sees one state of the
 * database, so whatever is in the midst of being leased does no harm.
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
