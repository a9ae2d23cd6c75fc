import type pg from 'pg';

/** Amounts are integers below 2^53. */
export interface UsageLine {
  readonly nodeId: string;
  readonly allowanceId: string;
  /** Amount reserved from the node's slice. */
  readonly leased: number;
  readonly used: number;
}

/**
 * Moves usage from nodes' holds to the settled amounts in the caller's transaction. Usage counts toward the window in
 * which the request was admitted, even if the lease has expired. Spent credits are settled by the ledger in the same
 * transaction. Locks the rows of `allowances` until the transaction ends.
 */
export async function bookUsage(client: pg.ClientBase, lines: readonly UsageLine[]): Promise<void> {
  if (lines.length === 0) return;
  const sums = sumLines(lines);
  const ids = [...new Set(sums.map(({ allowanceId }) => allowanceId))];
  await client.query(lockAllowances, [ids]);
  await client.query(moveUsage, [
    sums.map(({ nodeId }) => nodeId),
    sums.map(({ allowanceId }) => allowanceId),
    sums.map(({ used }) => used),
    sums.map(({ spent }) => spent),
    sums.map(({ requests }) => requests),
    sums.map(({ overrun }) => overrun),
  ]);
}

interface UsageSum {
  readonly nodeId: string;
  readonly allowanceId: string;
  used: number;
  /** Usage covered by leased amounts. A request may use more than its hold. */
  spent: number;
  /** Usage beyond the holds of the requests. */
  overrun: number;
  requests: number;
}

function sumLines(lines: readonly UsageLine[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const { nodeId, allowanceId, leased, used } of lines) {
    const key = `${nodeId} ${allowanceId}`;
    const sum = sums.get(key) ?? { nodeId, allowanceId, used: 0, spent: 0, overrun: 0, requests: 0 };
    sum.used += used;
    sum.spent += Math.min(leased, used);
    sum.overrun += Math.max(0, used - leased);
    sum.requests++;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

const lockAllowances = 'SELECT FROM allowances WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE';

const moveUsage = `WITH ended AS (
    SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
      AS e (node_id, allowance_id, used, spent, requests, overrun)
  ), held AS MATERIALIZED (
    SELECT l.node_id, l.allowance_id, l.is_reaped, e.overrun, least(e.spent, l.granted - l.returned - l.spent) AS amount
    FROM leases l JOIN ended e USING (node_id, allowance_id) FOR NO KEY UPDATE OF l
  ), spend AS (
    UPDATE leases l SET spent = l.spent + h.amount, overrun = l.overrun + h.overrun FROM held h
    WHERE l.node_id = h.node_id AND l.allowance_id = h.allowance_id
  )
  UPDATE allowances a SET
    settled = CASE a.kind WHEN 'credits' THEN a.settled ELSE a.settled + t.used - t.counted END, leased = a.leased - t.freed,
    requests = a.requests + t.requests, overrun = a.overrun + t.overrun, last_used_at = now()
  FROM (
    SELECT e.allowance_id, sum(e.used) AS used, sum(e.requests) AS requests, sum(e.overrun) AS overrun,
      coalesce(sum(h.amount) FILTER (WHERE h.is_reaped), 0) AS counted,
      coalesce(sum(h.amount) FILTER (WHERE NOT h.is_reaped), 0) AS freed
    FROM ended e LEFT JOIN held h USING (node_id, allowance_id) GROUP BY e.allowance_id
  ) t WHERE a.id = t.allowance_id`;
