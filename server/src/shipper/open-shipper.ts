import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { type BodyWriterOptions, createPutBodies, keepBodies } from '#body-store/write-bodies.ts';
import { isPooled } from '#db/is-pooled.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { usedAmount } from '#domain/allowance/settlement.ts';
import { countRequest } from '#domain/deviation/count-request.ts';
import { releaseNodes } from '#gateway/allowance/expired-nodes.ts';
import { countInput, sumUse } from '#gateway/metering/charge-usage.ts';
import { fromJournalRecord } from '#gateway/request-log/journal-record.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { type ObjectStoreConfig, openObjectStore } from '#object-store/object-store.ts';
import type { Logger } from '#platform/logger.ts';
import { connectShipper } from '#request-log/clickhouse/tables.ts';
import type { Shipped } from '#supervisor/messages.ts';
import { ClickhouseRows } from './clickhouse-rows.ts';
import { removePosition } from './journal-position.ts';
import { createPostgresRows, type LogRowStore } from './log-row-store.ts';
import type { Destination } from './run.ts';
import { createShipRequests, type ShippingOptions } from './ship-requests.ts';
import { startShipper } from './shipper.ts';
import type { Backlog } from './shipper-metrics.ts';

export interface OpenShipperOptions {
  readonly slotDirs: readonly string[];
  readonly connectionString: string;
  /** Connection string that bypasses any pooler; `connectionString` by default. */
  readonly directConnectionString?: string;
  /** URL of the ClickHouse server that stores the request log; `null` (default) for PostgreSQL. */
  readonly logStoreUrl?: string | null;
  /** Object storage for bodies and the keys that seal them; `null` (default) keeps bodies in the rows. */
  readonly bodies?: ShippedBodies | null;
  readonly log: Logger;
  readonly onShipped: (shipped: Shipped) => void;
  /** Called after each pass over all journals without a failure. */
  readonly onUpToDate?: () => void;
  /** Interval between the starts of two passes in milliseconds; 500 by default. */
  readonly intervalMs?: number;
}

export interface ShippedBodies extends Omit<BodyWriterOptions, 'database' | 'store'> {
  readonly bucket: ObjectStoreConfig;
}

export interface OpenShipper {
  readBacklog(): Backlog;
  /** Whether the request log database responds; `null` if the log is in PostgreSQL. */
  isLogStoreUp(): boolean | null;
  /**
   * Ships all remaining records. Call after the workers have exited. Records not shipped by the deadline remain on
   * disk.
   */
  close(deadlineMs: number): Promise<void>;
}

export function openShipper(options: OpenShipperOptions): OpenShipper {
  const { slotDirs, connectionString, logStoreUrl = null, log, onShipped, onUpToDate, intervalMs } = options;
  const { bodies = null } = options;
  for (const dir of slotDirs) mkdirSync(dir, { recursive: true, mode: 0o700 });
  const pool = createPool(connectionString, 1, 'sluice-shipping', {
    silentTransactionMs: 5_000,
    isPooled: isPooled(options),
    hasPreparedStatements: true,
  });
  const connection = logStoreUrl === null ? null : connectShipper(logStoreUrl);
  const database = createSystemDatabase(pool);
  const putBodies = bodies
    ? createPutBodies({ ...bodies, database, store: openObjectStore(bodies.bucket) })
    : keepBodies;
  const openRows = (journalDir: string) =>
    connection
      ? new ClickhouseRows({ pool, connection, journal: nameJournal(journalDir), putBodies, log })
      : createPostgresRows(pool, nameJournal(journalDir), putBodies);
  const shipper = startShipper({
    slotDirs,
    openDestination: (journalDir) =>
      createDestination({
        pool,
        nodeSlot: readSlotNumber(journalDir),
        runId: readRunId(journalDir),
        rows: openRows(journalDir),
        putBodies,
        log,
        onShipped: (records, scores) => onShipped(toShipped(journalDir, records, scores)),
      }),
    ...(intervalMs !== undefined && { intervalMs }),
    onUpToDate,
    onProblem: (problem) => log.warn({ problem }, 'a journal cannot be shipped'),
  });
  return {
    readBacklog: shipper.readBacklog,
    isLogStoreUp: () => connection?.isUp() ?? null,
    async close(deadlineMs) {
      const deadline = Promise.withResolvers<void>();
      const timer = setTimeout(deadline.resolve, deadlineMs);
      await Promise.race([shipper.drain(), deadline.promise]);
      clearTimeout(timer);
      await shipper.stop();
      await connection?.close();
      await pool.end();
    },
  };
}

function createDestination(options: ShippingOptions & { readonly rows: LogRowStore }): Destination {
  const ship = createShipRequests(options);
  return {
    batchLimit: options.rows.batchLimit,
    shipSettled: (records) =>
      ship(records.map((record) => ({ ...fromJournalRecord(record), position: record.position }))),
    async shipInterrupted(records) {
      const { log, nodeSlot } = options;
      log.info({ nodeSlot, requests: records.length }, 'a stopped worker left requests unfinished');
      await ship(records.map((record) => interruptedRecord(fromJournalRecord(record))));
    },
    findShipped: (ids) => options.rows.findShipped(ids),
    releaseNodes: (nodeIds) => releaseNodes(options.pool, nodeIds),
    removePosition: async () => {
      if (options.runId) await removePosition(options.pool, options.runId);
      await options.rows.forget();
    },
  };
}

/** Omits records that do not change a score, because no node waits for them. */
function toShipped(
  journalDir: string,
  ...[records, scores]: Parameters<NonNullable<ShippingOptions['onShipped']>>
): Shipped {
  return {
    journalDir,
    requests: records.filter((record) => countRequest(record)).map(({ id, userId }) => ({ id, userId })),
    scores: scores.map(({ userId, state, policy }) => ({ userId, state, policy })),
  };
}

/** The folder is named `slot-<number>`. Returns 0 for any other name. */
function readSlotNumber(journalDir: string): number {
  return Number(/^slot-(\d+)$/.exec(basename(dirname(journalDir)))?.[1] ?? 0);
}

function nameJournal(journalDir: string): string {
  return readRunId(journalDir) ?? `${hostname()}:${journalDir}`;
}

/** The folder is named `run-<UUIDv7>`. Returns `undefined` for any other name, because such a name might be reused. */
function readRunId(journalDir: string): string | undefined {
  return /^run-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(basename(journalDir))?.[1];
}

/** The provider was probably called with an unknown result, so the input is charged at the cost set on admission. */
function interruptedRecord(admitted: RequestRecord): RequestRecord {
  const { costNanoUsd, hold, isServiceManaged } = admitted;
  const interrupted: RequestRecord = {
    ...admitted,
    status: 'error',
    httpStatus: 500,
    errorCode: 'interrupted',
    errorMessage: 'The gateway stopped before this request was finished.',
    isSent: true,
  };
  if (!hold) return interrupted;
  const usage = countInput(hold.inputTokens);
  const use = sumUse({ costNanoUsd, usage }, true, isServiceManaged);
  const parts = hold.parts.map((part) => ({ ...part, used: usedAmount(part.kind, use) }));
  return { ...interrupted, usage, usageSource: 'estimated', hold: { ...hold, parts } };
}
