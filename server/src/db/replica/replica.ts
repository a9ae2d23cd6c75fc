import type pg from 'pg';
import { findOutage } from '#platform/fold-repeats.ts';
import type { Logger } from '#platform/logger.ts';
import { ownShare, withShare } from '../fair-pool.ts';
import { connectBeyond, endTransaction } from '../held-connection.ts';
import { createPool } from '../pool.ts';
import { withQueryTimeout } from '../query-timeout.ts';
import { PrimaryPositions } from './primary-positions.ts';
import { ReplicaSession, type ReplicaTransaction } from './replica-session.ts';
import {
  describeFailure,
  describeLag,
  findMismatch,
  type ReplicaStatus,
  type ServerFacts,
  type StandbyFacts,
} from './replica-status.ts';
import type { ReportRead } from './report-read.ts';
import { fromLsn, readPosition, toLsn, unreachablePosition, type WalPosition } from './wal-position.ts';

export interface ReplicaOptions {
  readonly connectionString: string;
  readonly primary: pg.Pool;
  /**
   * Maximum number of connections for reports. The size of the primary's pool is sufficient, because each reader also
   * uses a connection to the primary.
   */
  readonly connections: number;
  readonly lagMaxMs: number;
  /** Logs each status change; `null` disables logging. */
  readonly log: Logger | null;
  readonly probeEveryMs?: number;
  /** Age in milliseconds from which data counts as stale. */
  readonly staleMs?: number;
}

/**
 * `replica` if a report was read there, otherwise the reason for reading it on the primary. `not_replayed`: the replica
 * lags too far behind or lacks the caller's last change.
 */
export type ReadOutcome = 'replica' | 'not_replayed' | 'unavailable' | 'failed';

const defaultProbeEveryMs = 2_000;
const connectMs = 1_000;
const probeMs = 1_000;
const defaultStaleMs = 10_000;

/** Hot standby from which reports are read unless it is unavailable or lags too far behind. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #reads: pg.Pool;
  readonly #probes: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #positions = new PrimaryPositions();
  readonly #outcomes = new Map<ReadOutcome, number>();
  #primary: ServerFacts | null = null;
  #status: ReplicaStatus = { state: 'starting', lagMs: null, problem: null };
  #timer: NodeJS.Timeout | undefined;
  #probing: Promise<void>;
  #isClosed = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    // `isPooled` applies settings in each transaction, so that the replica may be behind a pooler.
    const pool = { connectMs, isPooled: true };
    const { connections, connectionString } = options;
    this.#reads = createPool(connectionString, connections, 'sluice-replica', {
      ...pool,
      statementMs: 10_000,
      isFair: true,
    });
    this.#probes = createPool(connectionString, 1, 'sluice-replica-probe', { ...pool, statementMs: probeMs });
    for (const each of [this.#reads, this.#probes]) {
      each.on('connect', (client) => this.#clients.add(client));
      each.on('remove', (client) => this.#clients.delete(client));
    }
    this.#probing = this.#probe();
  }

  get status(): ReplicaStatus {
    return this.#status;
  }

  async whenProbed(): Promise<ReplicaStatus> {
    await this.#probing;
    return this.#status;
  }

  /** Number of report transactions by outcome since startup. */
  get outcomes(): ReadonlyMap<ReadOutcome, number> {
    return this.#outcomes;
  }

  /** Connects on the first query. */
  open(primary: pg.PoolClient, tenantId: number, read: ReportRead): ReplicaSession {
    return new ReplicaSession({
      primary,
      begin: () => this.#begin(tenantId, readPosition(read.after)),
      onFailure: (error) => {
        this.#count('failed');
        if (findOutage(error)) this.#change(describeFailure(error, this.#options.connectionString));
      },
      onStale: read.onStale,
    });
  }

  /**
   * Returns a position of the primary after all committed changes. Returns an unreachable position if the primary
   * does not respond.
   */
  async readWritePosition(): Promise<WalPosition> {
    try {
      const { rows } = await this.#options.primary.query<{ lsn: string }>(
        'SELECT pg_current_wal_insert_lsn()::text AS lsn',
      );
      return rows[0] ? fromLsn(rows[0].lsn) : unreachablePosition;
    } catch {
      return unreachablePosition;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#probing;
    await Promise.all([this.#reads.end(), this.#probes.end()]);
  }

  async #begin(tenantId: number, after: WalPosition | null): Promise<ReplicaTransaction | null> {
    if (this.#status.state !== 'in_use') return this.#readPrimary('unavailable');
    const nowMs = Date.now();
    const oldest = this.#positions.before(nowMs - this.#options.lagMaxMs) ?? '0'.repeat(16);
    const least = after !== null && after > oldest ? after : oldest;
    try {
      const client = await connectBeyond(this.#reads);
      const row = await beginRead(client, tenantId, least).catch((error: Error) => {
        client.release(error);
        throw error;
      });
      if (!row?.isReached || row.position === null) {
        await endTransaction(client, 'ROLLBACK');
        return this.#readPrimary('not_replayed');
      }
      this.#count('replica');
      const reachedMs = this.#positions.reachedAt(fromLsn(row.position)) ?? nowMs - (this.#status.lagMs ?? 0);
      const { staleMs = defaultStaleMs } = this.#options;
      return { client, staleAt: nowMs - reachedMs > staleMs ? new Date(reachedMs) : null };
    } catch (error) {
      if (findOutage(error)) this.#change(describeFailure(error, this.#options.connectionString));
      return this.#readPrimary('failed');
    }
  }

  #readPrimary(outcome: ReadOutcome): null {
    this.#count(outcome);
    return null;
  }

  #count(outcome: ReadOutcome): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  async #probe(): Promise<void> {
    const status = await this.#findStatus();
    this.#change(status);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#probing = this.#probe();
    }, this.#options.probeEveryMs ?? defaultProbeEveryMs).unref();
  }

  async #findStatus(): Promise<ReplicaStatus> {
    await this.#notePrimary();
    const { connectionString, lagMaxMs } = this.#options;
    try {
      const standby = findRow<StandbyFacts>(await this.#probes.query(readStandby));
      if (!standby || !this.#primary) return this.#status;
      const problem = findMismatch(standby, this.#primary);
      if (problem !== null) return { state: 'refused', lagMs: null, problem };
      const reachedMs = this.#positions.reachedAt(fromLsn(standby.position ?? ''));
      return describeLag(reachedMs === null ? standby.replayedAgoMs : Date.now() - reachedMs, lagMaxMs);
    } catch (error) {
      return describeFailure(error, connectionString);
    }
  }

  /** Keeps the recorded positions while the primary is unavailable, so that the calculated lag grows. */
  async #notePrimary(): Promise<void> {
    const atMs = Date.now();
    try {
      const { rows } = await withShare(ownShare('replica'), () =>
        this.#options.primary.query<ServerFacts>(readPrimary),
      );
      this.#primary = rows[0] ?? null;
      if (rows[0]?.position) this.#positions.note(atMs, fromLsn(rows[0].position));
    } catch {}
  }

  #change(status: ReplicaStatus): void {
    const { state } = this.#status;
    this.#status = status;
    if (status.state === state) return;
    // Fail queries that wait for an unresponsive server immediately, so that they are sent to the primary.
    if (status.state === 'away') for (const { connection } of this.#clients) connection.stream.destroy();
    const { log } = this.#options;
    const fields = { lagMs: status.lagMs, problem: status.problem };
    if (status.state === 'in_use') log?.info(fields, 'reports are read from the replica');
    else if (status.state !== 'starting') log?.warn(fields, 'reports are read from the primary');
  }
}

/** Use the flushed position, because a replica cannot replay beyond it. */
const readPrimary = `SELECT system_identifier::text AS system, current_database() AS database,
    pg_current_wal_flush_lsn()::text AS position FROM pg_control_system()`;

const readStandby = `BEGIN READ ONLY; SET LOCAL ROLE sluice_tenant;
  SELECT system_identifier::text AS system, current_database() AS database, pg_is_in_recovery() AS "isStandby",
    pg_last_wal_replay_lsn()::text AS position,
    (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 AS "replayedAgoMs"
  FROM pg_control_system();
  COMMIT`;

interface BegunRead {
  readonly position: string | null;
  readonly isReached: boolean | null;
}

async function beginRead(
  client: pg.PoolClient,
  tenantId: number,
  least: WalPosition,
): Promise<BegunRead | undefined> {
  const statements = [
    'BEGIN READ ONLY',
    'SET LOCAL ROLE sluice_tenant',
    `SELECT set_config('app.tenant', '${tenantId}', true)`,
    `SELECT lsn::text AS position, pg_is_in_recovery() AND lsn >= '${toLsn(least)}' AS "isReached"
     FROM pg_last_wal_replay_lsn() lsn`,
  ];
  return findRow<BegunRead>(await client.query(withQueryTimeout(statements.join('; '))));
}

/** Returns the row of the last statement that has one. The driver's types only cover a single statement. */
function findRow<Row extends pg.QueryResultRow>(results: pg.QueryResult | pg.QueryResult[]): Row | undefined {
  return [results].flat().findLast(({ rows }) => rows.length > 0)?.rows[0];
}
