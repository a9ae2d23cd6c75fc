import type fc from 'fast-check';
import type pg from 'pg';
import type { TestDatabase } from '../database/cluster-database.ts';
import type { Amounts, HeldRequest, LeaseNode, LeaseNodes, Payers } from './lease-nodes.ts';

export const kinds = ['requests_per_hour', 'tokens_per_day', 'credits'] as const;
export type Kind = (typeof kinds)[number];
export type Sums = Record<Kind, number>;

export const nothing = (): Sums => ({ requests_per_hour: 0, tokens_per_day: 0, credits: 0 });
export const add = (sums: Sums, amounts: Amounts, sign = 1) => {
  for (const kind of kinds) sums[kind] += sign * (amounts[kind] ?? 0);
};

export interface OpenRequest {
  readonly amounts: Amounts;
  readonly seat: number;
  readonly real: HeldRequest;
}

/** Killed node with the part of the limits that it blocks and the pending contents of its journal. */
export interface DeadNode {
  readonly real: LeaseNode;
  readonly used: Sums;
  blocked: Sums;
  /**
   * Settled usage beyond holds. The node may have been killed before it returned the lease for this usage. The amount
   * is then both blocked and settled.
   */
  readonly overrun: Sums;
  isReaped: boolean;
}

/** Reference model that has only sums, without leases, windows or journals. */
export interface Model {
  limits: { requests_per_hour: number; tokens_per_day: number | null; credits: number };
  used: Sums;
  open: OpenRequest[];
  /** Usage of completed requests that are not yet in the database, by seat, and the part that their holds cover. */
  unshipped: [Sums, Sums];
  covered: [Sums, Sums];
  dead: DeadNode[];
}

export interface Real {
  readonly database: TestDatabase;
  readonly nodes: LeaseNodes;
  readonly payers: Payers;
  readonly seats: [LeaseNode, LeaseNode];
}

export type Command = fc.AsyncCommand<Model, Real>;

export const hourLimit = 12;

/**
 * Returns the free amount for the node of a seat. `least` is certain. `most` applies while the other node has not yet
 * taken usage beyond its holds from the allowance, or if it was killed with a lease for settled usage.
 */
export function findFree(model: Model, kind: Kind, seat: number): { least: number; most: number } {
  const limit = model.limits[kind];
  if (limit === null) return { least: Number.POSITIVE_INFINITY, most: Number.POSITIVE_INFINITY };
  const sum = (amounts: readonly Amounts[]) => amounts.reduce((total, one) => total + (one[kind] ?? 0), 0);
  const taken =
    model.used[kind] + sum(model.open.map(readHeld)) + sum(model.dead.map(({ blocked }) => blocked));
  const least = limit - taken;
  const other = 1 - seat;
  const beyondHolds = (model.unshipped[other]?.[kind] ?? 0) - (model.covered[other]?.[kind] ?? 0);
  const blockedTwice = sum(
    model.dead.map(({ blocked, overrun }) => ({ [kind]: Math.min(blocked[kind], overrun[kind]) })),
  );
  return { least, most: least + beyondHolds + blockedTwice };
}

/** Omits limits that were unlimited at admission. */
export function readHeld({ real }: OpenRequest): Amounts {
  return Object.fromEntries(real.hold.parts.map(({ lease, leased }) => [lease.key.kind, leased]));
}

/**
 * Returns the usage of a request: nothing if no provider has received the request, and up to twice the hold if the
 * provider overruns.
 */
export function share(amounts: Amounts, part: number): Amounts {
  return {
    requests_per_hour: part === 0 ? 0 : 1,
    tokens_per_day: Math.floor((amounts.tokens_per_day ?? 0) * part),
    credits: Math.floor((amounts.credits ?? 0) * part),
  };
}

export async function readLeases(pool: pg.Pool, nodeId: string): Promise<{ held: Sums; overrun: Sums }> {
  const { rows } = await pool.query<{ kind: Kind; held: number; overrun: number }>(
    `SELECT kind, (granted - returned - spent)::int AS held, l.overrun::int
     FROM leases l JOIN allowances a ON a.id = l.allowance_id WHERE node_id = $1`,
    [nodeId],
  );
  const sumsOf = (column: 'held' | 'overrun') => ({
    ...nothing(),
    ...Object.fromEntries(rows.map((row) => [row.kind, row[column]])),
  });
  return { held: sumsOf('held'), overrun: sumsOf('overrun') };
}

export async function checkSums(model: Model, { database, payers }: Real): Promise<void> {
  const { rows } = await database.pool.query<{ kind: Kind; settled: number; leased: number; held: number }>(
    `SELECT kind, settled::int, leased::int, (SELECT coalesce(sum(granted - returned - spent), 0)::int
       FROM leases WHERE allowance_id = id AND NOT is_reaped) AS held
     FROM allowances WHERE subject_id IN ($1, $2) AND tenant_id = $2`,
    [payers.userId, payers.tenantId],
  );
  for (const { kind, settled, leased, held } of rows) {
    const shipped = model.used[kind] - model.unshipped[0][kind] - model.unshipped[1][kind];
    const lost = model.dead.reduce((sum, { blocked, isReaped }) => sum + (isReaped ? blocked[kind] : 0), 0);
    if (leased !== held) throw new Error(`${kind}: ${leased} are leased, ${held} are held`);
    if (settled !== shipped + lost) throw new Error(`${kind}: ${settled} are settled, not ${shipped + lost}`);
  }
}
