import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { budgetKinds } from '#domain/allowance/window.ts';

/**
 * Releases everything these nodes still hold and deletes the nodes. Call only once all of their settled records are
 * in the database, since the remaining amounts then count as unused.
 */
export async function releaseNodes(pool: pg.Pool, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length > 0) await pool.query(releaseStatement, [nodeIds]);
}

/**
 * Expires the leases of nodes whose registration expired ten minutes ago, and whose journals are presumed lost.
 * Leased quotas count as used, since requests may have used them; credits and parallel requests are returned. Returns
 * the ids of these nodes.
 */
export async function expireNodes(database: NodePgDatabase): Promise<string[]> {
  const { rows } = await database.execute<{ id: string }>(sql.raw(reapStatement));
  return rows.map(({ id }) => id);
}

export async function countExpiredNodes(database: NodePgDatabase): Promise<number> {
  const { rows } = await database.execute<{ lost: number }>(
    sql`SELECT count(*)::int AS lost FROM nodes WHERE reaped_at > now() - interval '1 day'`,
  );
  return rows[0]?.lost ?? 0;
}

export async function deleteOldWindows(database: NodePgDatabase): Promise<void> {
  await database.execute(sql.raw(deleteEndedWindows));
  await database.execute(sql.raw(deleteBudgetWindows));
  await database.execute(sql`DELETE FROM nodes WHERE reaped_at < now() - interval '30 days'`);
}

// Both statements lock nodes before allowances, to prevent deadlocks.
const releaseStatement = `WITH gone AS MATERIALIZED (
    SELECT id FROM nodes WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE
  ), held AS MATERIALIZED (
    SELECT l.allowance_id AS id, l.is_reaped, l.granted - l.returned - l.spent AS amount
    FROM gone JOIN leases l ON l.node_id = gone.id JOIN allowances a ON a.id = l.allowance_id
    ORDER BY a.id FOR NO KEY UPDATE OF a, l
  ), give_back AS (
    UPDATE allowances a SET leased = a.leased - t.freed, settled = a.settled - t.counted
    FROM (
      SELECT id, coalesce(sum(amount) FILTER (WHERE NOT is_reaped), 0) AS freed,
        coalesce(sum(amount) FILTER (WHERE is_reaped), 0) AS counted
      FROM held GROUP BY id
    ) t WHERE a.id = t.id
  )
  DELETE FROM nodes WHERE id IN (SELECT id FROM gone)`;

const reapStatement = `WITH dead AS MATERIALIZED (
    UPDATE nodes SET reaped_at = now() WHERE reaped_at IS NULL AND expires_at < now() - interval '10 minutes' RETURNING id
  ), held AS MATERIALIZED (
    SELECT l.node_id, l.allowance_id AS id, a.kind IN ('credits', 'parallel_requests') AS returns, l.granted - l.returned - l.spent AS amount
    FROM dead d JOIN leases l ON l.node_id = d.id JOIN allowances a ON a.id = l.allowance_id
    ORDER BY a.id FOR NO KEY UPDATE OF a, l
  ), expire AS (
    UPDATE allowances a SET leased = a.leased - t.amount, settled = a.settled + t.counted
    FROM (
      SELECT id, sum(amount) AS amount, coalesce(sum(amount) FILTER (WHERE NOT returns), 0) AS counted
      FROM held GROUP BY id
    ) t WHERE a.id = t.id
  ), mark AS (
    UPDATE leases l SET is_reaped = true, returned = CASE WHEN h.returns THEN l.returned + h.amount ELSE l.returned END
    FROM held h WHERE l.node_id = h.node_id AND l.allowance_id = h.id
  )
  SELECT id FROM dead`;

const deleteEndedWindows = `DELETE FROM allowances WHERE leased = 0 AND id IN (
    SELECT a.id FROM (VALUES
      ('requests_per_hour', interval '2 days'), ('tokens_per_day', interval '60 days'), ('tokens_per_month', interval '400 days')
    ) AS kept (kind, longest)
    JOIN allowances a ON a.kind = kept.kind AND a.window_start < now() - kept.longest AND a.window_start > '-infinity'
    ORDER BY a.id LIMIT 1000 FOR UPDATE OF a SKIP LOCKED)`;

/**
 * Deletes unleased windows: those of a deleted budget one day after the last use, and past windows of other budgets
 * after the same times as `deleteEndedWindows`.
 */
const deleteBudgetWindows = `DELETE FROM allowances WHERE leased = 0 AND id IN (
    SELECT a.id FROM allowances a
    WHERE a.kind IN (${Object.values(budgetKinds)
      .map((kind) => `'${kind}'`)
      .join(', ')}) AND (
      NOT EXISTS (SELECT FROM budgets b WHERE b.id = a.subject_id) AND a.last_used_at < now() - interval '1 day'
      OR a.window_start > '-infinity' AND EXISTS (
        SELECT FROM budgets b WHERE b.id = a.subject_id AND b.period NOT IN ('total', 'at_once') AND a.window_start < now() - CASE
          WHEN b.period IN ('minute', 'hour') THEN interval '2 days' WHEN b.period = 'day' THEN interval '60 days'
          ELSE interval '400 days' END))
    ORDER BY a.id LIMIT 1000 FOR UPDATE OF a SKIP LOCKED)`;
