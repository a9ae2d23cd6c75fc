import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import { type AllowanceKind, isBudget } from '#domain/allowance/window.ts';

export interface AllowanceKey {
  readonly kind: AllowanceKind;
  /** Id of the user, the task assignment, the budget or, for credits, the tenant. */
  readonly subjectId: number;
  /** Wall-clock milliseconds; minus infinity if the allowance has no window. */
  readonly windowStartMs: number;
}

export interface OpenedLease extends LeaseState {
  readonly index: number;
  /** Total amount that the node has ever returned. */
  readonly returned: number;
}

/** Amounts are whole numbers below 2^53. */
export interface LeaseChange {
  readonly allowanceId: string;
  /** Amount that waiting requests lack. Requested instead of the slice if less than `nearEnd` is unleased. */
  readonly want: number;
  readonly slice: number;
  readonly nearEnd: number;
  /** Total amount that the node has ever returned, including this change. */
  readonly returned: number;
}

export interface LeaseState {
  readonly allowanceId: string;
  /** Total amount ever granted to the node. */
  readonly granted: number;
  /** `null` if unlimited, in which case nothing is leased. */
  readonly limit: number | null;
  readonly settled: number;
  /** Unleased amount. Negative after the limit was lowered. */
  readonly left: number;
  readonly otherHolders: number;
  /** Settled part of the usage beyond holds. */
  readonly overrun: number;
}

/** Statements run one at a time on a dedicated connection. */
export interface LeaseDatabase {
  /** Registers a node. Like `renew`, returns the database's time in wall-clock milliseconds. */
  register(nodeId: string, timeToLiveMs: number): Promise<number>;
  /** Extends a node's registration. Returns `null` if the node has expired. */
  renew(nodeId: string, timeToLiveMs: number): Promise<number | null>;
  /** Creates missing allowances and this node's leases for them. Keys without a subject are omitted from the result. */
  open(nodeId: string, keys: readonly AllowanceKey[]): Promise<OpenedLease[]>;
  /** Takes and returns amounts in one statement. Deleted allowances are omitted from the result. */
  change(nodeId: string, changes: readonly LeaseChange[]): Promise<LeaseState[]>;
  /** Sends messages to all nodes, for example to recall an allowance. */
  announce(messages: readonly string[]): Promise<void>;
}

export function createLeaseDatabase(pool: pg.Pool): LeaseDatabase {
  const query = async <Row extends object>(text: string, values: unknown[]) =>
    (await pool.query<Row>(withQueryTimeout(text, values))).rows;
  return {
    async register(nodeId, timeToLiveMs) {
      const [row] = await query<{ now: number }>(registerNode, [nodeId, timeToLiveMs]);
      if (!row) throw new Error('the insert returned no row');
      return row.now;
    },
    async renew(nodeId, timeToLiveMs) {
      const [row] = await query<{ now: number }>(renewNode, [nodeId, timeToLiveMs]);
      return row?.now ?? null;
    },
    async open(nodeId, keys) {
      const columns = [
        keys.map(({ kind }) => kind),
        keys.map(({ subjectId }) => subjectId),
        keys.map(({ windowStartMs }) => formatInstant(windowStartMs)),
      ];
      await query(makeAllowances, columns);
      if (keys.some(({ kind }) => isBudget(kind))) await query(makeBudgetAllowances, columns);
      const rows = await query<Numbers<OpenedLease>>(openLeases, [nodeId, ...columns]);
      return rows.map((row) => ({
        ...readState(row),
        index: Number(row.index) - 1,
        returned: Number(row.returned),
      }));
    },
    async change(nodeId, changes) {
      const rows = await query<Numbers<LeaseState>>(changeLeases, [
        nodeId,
        changes.map(({ allowanceId }) => allowanceId),
        changes.map(({ want }) => want),
        changes.map(({ slice }) => slice),
        changes.map(({ nearEnd }) => nearEnd),
        changes.map(({ returned }) => returned),
      ]);
      return rows.map(readState);
    },
    async announce(messages) {
      await query(`SELECT pg_notify('sluice_changes', message) FROM unnest($1::text[]) message`, [messages]);
    },
  };
}

/** Row as returned by the driver, which represents a bigint as text. */
type Numbers<Row> = { [Key in keyof Row]: string | (null extends Row[Key] ? null : never) };

function readState(row: Numbers<LeaseState>): LeaseState {
  return {
    allowanceId: row.allowanceId,
    granted: Number(row.granted),
    limit: row.limit === null ? null : Number(row.limit),
    settled: Number(row.settled),
    left: Number(row.left),
    otherHolders: Number(row.otherHolders),
    overrun: Number(row.overrun),
  };
}

export function formatInstant(ms: number): string {
  return ms === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(ms).toISOString();
}

const nowMs = `(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

const registerNode = `INSERT INTO nodes (id, expires_at) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
  RETURNING ${nowMs}`;

const renewNode = `UPDATE nodes SET expires_at = clock_timestamp() + $2 * interval '1 ms'
  WHERE id = $1 AND reaped_at IS NULL RETURNING ${nowMs}`;

// The share lock orders this statement and concurrent quota changes, so that no window starts with an outdated limit.
const makeAllowances = `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount)
  SELECT u.tenant_id, w.kind, u.id, w.window_start, CASE w.kind
    WHEN 'requests_per_hour' THEN u.requests_per_hour WHEN 'tokens_per_day' THEN u.daily_quota ELSE u.monthly_quota END
  FROM unnest($1::text[], $2::integer[], $3::timestamptz[]) AS w (kind, subject_id, window_start)
    JOIN users u ON u.id = w.subject_id
  WHERE w.kind IN ('requests_per_hour', 'tokens_per_day', 'tokens_per_month') AND NOT EXISTS (
    SELECT FROM allowances a
    WHERE a.kind = w.kind AND a.subject_id = w.subject_id AND a.window_start = w.window_start)
  ORDER BY u.id, w.kind FOR SHARE OF u
  ON CONFLICT (kind, subject_id, window_start) DO NOTHING`;

const makeBudgetAllowances = `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount)
  SELECT b.tenant_id, w.kind, b.id, w.window_start, limit_of_budget(b)
  FROM unnest($1::text[], $2::integer[], $3::timestamptz[]) AS w (kind, subject_id, window_start)
    JOIN budgets b ON b.id = w.subject_id AND kind_of_budget(b.measure) = w.kind
  WHERE NOT EXISTS (
    SELECT FROM allowances a
    WHERE a.kind = w.kind AND a.subject_id = w.subject_id AND a.window_start = w.window_start)
  ORDER BY b.id FOR SHARE OF b
  ON CONFLICT (kind, subject_id, window_start) DO NOTHING`;

// Caps amounts at the exact integer range of a number. No request needs more.
const least = (amount: string) => `least(${amount}, ${Number.MAX_SAFE_INTEGER})`;

// A volatile function sees rows committed after the statement started, such as leases of a node whose lock the
// statement waited for.
const otherHolders = (allowanceId: string) => `count_other_holders(${allowanceId}, $1) AS "otherHolders"`;

const openLeases = `WITH found AS (
    SELECT a.*, w.index
    FROM unnest($2::text[], $3::integer[], $4::timestamptz[]) WITH ORDINALITY AS w (kind, subject_id, window_start, index)
      JOIN allowances a USING (kind, subject_id, window_start)
  ), opened AS (
    INSERT INTO leases (node_id, allowance_id) SELECT $1, id FROM found ORDER BY id
    ON CONFLICT (node_id, allowance_id) DO UPDATE SET granted = leases.granted
    RETURNING allowance_id, granted, returned, spent, overrun
  )
  SELECT f.index, f.id AS "allowanceId", o.granted, o.returned, o.overrun, f.limit_amount AS "limit", f.settled,
    ${least('coalesce(f.limit_amount - f.settled - f.leased, 0)')} AS "left", ${otherHolders('f.id')}
  FROM opened o JOIN found f ON f.id = o.allowance_id`;

// Locks allowances in the order of their ids, and each lease after its allowance, so that no two statements deadlock.
// Locked rows are read again, so that the amounts are current.
const changeLeases = `WITH wanted AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
      AS w (id, want, slice, near_end, returned)
  ), locked AS MATERIALIZED (
    SELECT a.id, a.limit_amount, a.settled, a.leased, w.want, w.slice, w.near_end, l.granted, l.overrun,
      least(greatest(w.returned - l.returned, 0), l.granted - l.returned - l.spent) AS back
    FROM wanted w JOIN allowances a USING (id)
      JOIN leases l ON l.allowance_id = a.id AND l.node_id = $1 AND NOT l.is_reaped
    ORDER BY a.id FOR NO KEY UPDATE OF a, l
  ), weighed AS (
    SELECT *, limit_amount - settled - leased + back AS free FROM locked
  ), granted AS MATERIALIZED (
    SELECT *, CASE WHEN limit_amount IS NULL THEN 0
      ELSE greatest(0, least(free, CASE WHEN free < near_end THEN want ELSE slice END)) END AS gain
    FROM weighed
  ), change_leases AS (
    UPDATE leases l SET granted = l.granted + g.gain, returned = l.returned + g.back
    FROM granted g WHERE l.node_id = $1 AND l.allowance_id = g.id AND (g.gain <> 0 OR g.back <> 0)
  ), change_allowances AS (
    UPDATE allowances a SET leased = a.leased + g.gain - g.back
    FROM granted g WHERE a.id = g.id AND g.gain <> g.back
  )
  SELECT id AS "allowanceId", granted + gain AS granted, overrun, limit_amount AS "limit", settled,
    ${least('coalesce(free - gain, 0)')} AS "left", ${otherHolders('g.id')}
  FROM granted g`;
