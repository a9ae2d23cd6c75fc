import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { price } from '../providers/paid-service.ts';

/** Maximum time in milliseconds until everything held by dead or idle nodes must be released. */
const resolveLimitMs = 60_000;

export interface Audit {
  /** Descriptions of inconsistencies. Empty if the accounts agree. */
  faults: string[];
  /** Milliseconds until nothing was held anymore. */
  resolvedMs: number;
}

/**
 * Compares log rows, ledger, balances, limits, leases and rollups. No requests may be in flight. The `nodes` live
 * nodes release their holds on request, so any remaining hold is a fault.
 */
export async function auditAccounts(database: pg.Client, nodes: number): Promise<Audit> {
  const startedMs = performance.now();
  let held = await findHeld(database, nodes);
  while (held.length > 0 && performance.now() - startedMs < resolveLimitMs) {
    await database.query(recallAll);
    await pause(100);
    held = await findHeld(database, nodes);
  }
  const resolvedMs = performance.now() - startedMs;
  return { faults: [...held, ...(await findDifferences(database))], resolvedMs };
}

async function findHeld(database: pg.Client, nodes: number): Promise<string[]> {
  const { rows } = await database.query<{ nodes: number; held: string[] | null }>(`SELECT
    (SELECT count(*)::int FROM nodes) AS nodes,
    (SELECT array_agg(leased || ' of ' || kind || ' ' || subject_id) FROM allowances WHERE leased <> 0) AS held`);
  const [{ nodes: known = 0, held = null } = {}] = rows;
  const unreleased = known === nodes ? [] : [`the database lists ${known} nodes, but ${nodes} are live`];
  return [...unreleased, ...(held ?? []).map((one) => `still leased: ${one}`)];
}

const recallAll = `SELECT pg_notify('sluice_changes', 'recall:' || id || ':audit') FROM allowances WHERE leased > 0`;

async function findDifferences(database: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, statement] of Object.entries(comparisons)) {
    const { rows } = await database.query(statement);
    if (rows.length > 0) faults.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return faults;
}

const tokens = 'prompt_tokens + completion_tokens';

const comparisons = {
  'a balance is not the sum of its entries': `SELECT subject_id, limit_amount - settled AS balance, sum(e.amount) AS booked
    FROM allowances a JOIN ledger_entries e ON e.tenant_id = a.subject_id
    WHERE a.kind = 'credits' GROUP BY a.id HAVING limit_amount - settled <> sum(e.amount)`,
  'an entry does not follow from the one before': `SELECT id FROM (
      SELECT id, balance_before, balance_after - amount AS before, lag(balance_after, 1, 0) OVER (ORDER BY id) AS last
      FROM ledger_entries
    ) e WHERE balance_before <> before OR before <> last`,
  'what was deducted is not what the requests cost': `SELECT * FROM
    (SELECT coalesce(-sum(amount), 0) AS deducted FROM ledger_entries WHERE kind = 'deduction') e,
    (SELECT coalesce(sum(cost_nano_usd), 0) AS cost FROM request_logs WHERE is_service_managed) l WHERE deducted <> cost`,
  'a cost is not that of its tokens': `SELECT id, prompt_tokens, completion_tokens, cost_nano_usd FROM request_logs
    WHERE is_service_managed AND coalesce(cost_nano_usd, 0) <>
      (prompt_tokens * ${price.input}::bigint + completion_tokens * ${price.output}::bigint) * 1200`,
  'the settled amount of a token limit is not the usage': `SELECT a.kind, a.subject_id, a.settled, l.used FROM
    (SELECT kind, subject_id, sum(settled) AS settled FROM allowances
      WHERE kind IN ('tokens_per_day', 'tokens_per_month') GROUP BY 1, 2) a
    JOIN (SELECT user_id, sum(${tokens}) AS used FROM request_logs GROUP BY 1) l ON l.user_id = a.subject_id
    WHERE a.settled <> l.used`,
  'the settled amount of a request limit is not the number of requests': `SELECT a.subject_id, a.settled, l.sent, l.served FROM
    (SELECT subject_id, sum(settled) AS settled FROM allowances WHERE kind = 'requests_per_hour' GROUP BY 1) a
    JOIN (SELECT user_id, count(*) FILTER (WHERE attempts > 0 OR status = 'success' OR error_code = 'interrupted') AS sent,
        count(*) FILTER (WHERE ${tokens} > 0) AS served FROM request_logs GROUP BY 1) l ON l.user_id = a.subject_id
    WHERE a.settled NOT BETWEEN l.served AND l.sent`,
  'a rollup is not the sum of its rows': `SELECT * FROM
    (SELECT sum(requests) AS requests, sum(input_tokens + output_tokens) AS tokens, sum(cost_nano_usd) AS cost
      FROM usage_rollups) r,
    (SELECT count(*) AS rows, sum(${tokens}) AS used, sum(cost_nano_usd) AS charged
      FROM request_logs WHERE status <> 'refused') l
    WHERE requests <> rows OR tokens <> used OR cost <> charged`,
  'a day is not the sum of its rollups': `SELECT * FROM
    (SELECT grouped_by, sum(requests) AS requests, sum(tokens) AS tokens, sum(user_llm_nano_usd + company_llm_nano_usd) AS cost
      FROM usage_days GROUP BY 1) d,
    (SELECT sum(requests) AS rolled_up, sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens) AS used,
      sum(cost_nano_usd) AS charged FROM usage_rollups WHERE requests > 0) r
    WHERE requests <> rolled_up OR tokens <> used OR cost <> charged`,
  'the leased amount of an allowance is not the sum of its leases': `SELECT a.id, a.leased, l.held FROM allowances a
    LEFT JOIN (SELECT allowance_id, sum(granted - returned - spent) FILTER (WHERE NOT is_reaped) AS held
      FROM leases GROUP BY 1) l ON l.allowance_id = a.id WHERE a.leased <> coalesce(l.held, 0)`,
  'a limit was overrun or an amount is negative': `SELECT kind, subject_id, limit_amount, settled, leased FROM allowances
    WHERE settled < 0 OR leased < 0 OR limit_amount < settled`,
  'a balance was negative': 'SELECT id, balance_after FROM ledger_entries WHERE balance_after < 0',
};
