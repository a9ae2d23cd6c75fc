import { setTimeout } from 'node:timers/promises';
import type { UnreadyReason } from '@sluice/contract';
import type pg from 'pg';
import { nameConnectionError } from '#db/explain-connection-error.ts';
import { dropIdleConnections } from '#db/open-pools.ts';
import { withQueryTimeout } from '#db/query-timeout.ts';
import type { Logger } from '#platform/logger.ts';
import { runInSlices } from '#platform/paced-work.ts';
import { createAnnouncedChanges, listenForChanges } from './listen-for-changes.ts';
import type { Snapshot } from './snapshot.ts';
import { mirroredTables } from './tables/all-tables.ts';

const polledTables = [...Object.values(mirroredTables).map(({ name }) => name), 'allowances'];
/** Poll interval while notifications work. A silently dead connection is detected within 3 s. */
const pollMs = 2_000;
const pollNotListeningMs = 500;
const compareMs = 60_000;
/**
 * Interval between full reads without notifications. A poll does not find deletes, so they are applied up to 5 s
 * later.
 */
const compareNotListeningMs = 3_000;
const unreadyAfterMs = 2_000;
const poolerMs = 1_000;

/** Time during which cached credentials remain valid when the database cannot confirm them. */
const staleAfterMs = 30_000;

export interface ChangeFeed {
  /** Returns `false` if nothing has confirmed the snapshot for 30 s. */
  isFresh(): boolean;
  /**
   * Returns why the node should receive no requests; `null` if the database has responded within 2 s and accepts
   * writes.
   */
  unreadiness(): UnreadyReason | null;
  failure(): string | null;
  /** Resolves when every change committed before the call has been read; rejects if that cannot be determined. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChangeFeedOptions {
  snapshot: Snapshot;
  pool: pg.Pool;
  isPooled: boolean;
  /** Bypasses any pooler, since notifications need a dedicated session. */
  directConnectionString: string;
  /** Called with every announced change, including changes outside the snapshot. */
  onAnnounced: (change: string) => void;
  log: Logger;
  /** True for one worker per node, which logs the start and end of database outages. */
  logsOutages?: boolean;
}

/**
 * Keeps a loaded snapshot current: notifications within milliseconds, a poll every 2 s for changes of the last 10 s
 * (a late commit has an early timestamp), and a full read every minute for anything missed. Without notifications,
 * the poll runs every 500 ms and the full read every 3 s.
 */
export function followChanges(options: ChangeFeedOptions): ChangeFeed {
  const { snapshot, pool, directConnectionString: connectionString, onAnnounced, log } = options;
  const stopping = new AbortController();
  const freshness = createFreshness();
  const reload = createReload(snapshot);
  const asking = askPooler(options, stopping.signal, freshness.onAnswer);
  const announced = createAnnouncedChanges(snapshot, log);
  const onNotification = (change: string) => {
    onAnnounced(change);
    announced.add(change);
  };
  const findChanged = createPoll(pool);
  let polledAtMs = 0;
  const poll = async () => {
    const beganAtMs = performance.now();
    polledAtMs = beganAtMs;
    const changed = await findChanged();
    freshness.onAnswer();
    await runInSlices(changed.changes, onNotification);
    await announced.whenRead();
    changed.confirm();
    freshness.onConfirmed(beganAtMs);
  };
  const listener = listenForChanges({
    connectionString,
    log,
    onAnswer: asking ? freshness.onWritability : freshness.onHeartbeat,
    onFailure: freshness.onFailure,
    // Only a full read finds deletes during the interruption.
    onListening: reload.run,
    onChange: onNotification,
  });
  const polling = repeat(pollNotListeningMs, stopping.signal, log, 'poll for changes', async () => {
    if (!listener.isListening() || performance.now() - polledAtMs >= pollMs) await poll();
  });
  const comparing = repeat(pollNotListeningMs, stopping.signal, log, 'reload the snapshot', async () => {
    const dueMs = listener.isListening() ? compareMs : compareNotListeningMs;
    if (reload.ageMs() >= dueMs) await reload.run();
  });
  const watching = watchOutages(freshness, stopping.signal, options.logsOutages ? log : null);
  return {
    ...freshness,
    catchUp: () => listener.catchUp().then(announced.whenRead, poll),
    async stop() {
      stopping.abort();
      await Promise.all([listener.stop(), polling, comparing, asking, watching]);
      await announced.whenRead().catch(() => undefined);
    },
  };
}

const watchMs = 250;
const stallMs = 750;

async function watchOutages(
  { answerAgeMs, failure }: Pick<ReturnType<typeof createFreshness>, 'answerAgeMs' | 'failure'>,
  signal: AbortSignal,
  log: Logger | null,
): Promise<void> {
  let sinceMs: number | null = null;
  for (let checkedAtMs = performance.now(); !signal.aborted; checkedAtMs = performance.now()) {
    await setTimeout(watchMs, undefined, { signal }).catch(() => undefined);
    // After a stall of the event loop, responses that have already arrived must be read first.
    if (signal.aborted || performance.now() - checkedAtMs > stallMs) continue;
    const ageMs = answerAgeMs();
    const isAway = ageMs >= unreadyAfterMs;
    if (isAway && sinceMs === null) {
      sinceMs = performance.now() - ageMs;
      dropIdleConnections();
      log?.error({ reason: failure() }, 'the database is unreachable');
    } else if (!isAway && sinceMs !== null) {
      const awaySeconds = Math.round((performance.now() - sinceMs) / 100) / 10;
      sinceMs = null;
      log?.warn({ awaySeconds }, 'the database is reachable again');
    }
  }
}

/** Queries through the pooler, since the listener's connection bypasses it. Returns `null` without a pooler. */
function askPooler(
  { pool, isPooled, log }: ChangeFeedOptions,
  signal: AbortSignal,
  onAnswer: () => void,
): Promise<void> | null {
  if (!isPooled) return null;
  return repeat(poolerMs, signal, log, 'query through the pooler', async () => {
    await pool.query(withQueryTimeout('SELECT 1'));
    onAnswer();
  });
}

function createReload(snapshot: Snapshot) {
  let loadedAtMs = performance.now();
  return {
    ageMs: () => performance.now() - loadedAtMs,
    async run(): Promise<void> {
      const startedMs = performance.now();
      await snapshot.load();
      loadedAtMs = startedMs;
    },
  };
}

/** Tracks database responses separately from confirmations of the snapshot, since reading many changes takes time. */
function createFreshness() {
  let confirmedAtMs = performance.now();
  let answeredAtMs = performance.now();
  let isReadOnly = false;
  let failure: string | null = null;
  return {
    onFailure(error: unknown): void {
      failure = nameConnectionError(error);
    },
    failure: () => failure,
    onAnswer(): void {
      answeredAtMs = performance.now();
    },
    onWritability(isReadOnlyNow: boolean): void {
      isReadOnly = isReadOnlyNow;
    },
    onHeartbeat(isReadOnlyNow: boolean): void {
      isReadOnly = isReadOnlyNow;
      answeredAtMs = performance.now();
    },
    /** `asOfMs` is the start of the poll. Later changes are not confirmed, however late the response is read. */
    onConfirmed(asOfMs: number): void {
      confirmedAtMs = Math.max(confirmedAtMs, asOfMs);
    },
    isFresh: () => performance.now() - confirmedAtMs < staleAfterMs,
    answerAgeMs: () => performance.now() - answeredAtMs,
    unreadiness(): UnreadyReason | null {
      if (performance.now() - answeredAtMs >= unreadyAfterMs) return 'database_unreachable';
      return isReadOnly ? 'database_read_only' : null;
    },
  };
}

const pollStatement = polledTables
  .map(
    (table) =>
      `SELECT '${table}:' || id AS change, changed_at::text AS stamp FROM ${table} WHERE changed_at > now() - interval '10 seconds'`,
  )
  .join(' UNION ALL ');

function createPoll(pool: pg.Pool) {
  let confirmed = new Map<string, string>();
  return async () => {
    const { rows } = await pool.query<{ change: string; stamp: string }>(withQueryTimeout(pollStatement));
    const found = new Map<string, string>();
    const changes: string[] = [];
    await runInSlices(rows, ({ change, stamp }) => {
      found.set(change, stamp);
      if (confirmed.get(change) !== stamp) changes.push(change);
    });
    return {
      changes,
      confirm() {
        confirmed = found;
      },
    };
  };
}

async function repeat(
  everyMs: number,
  signal: AbortSignal,
  log: Logger,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await work().catch((error) => log.warn({ error }, `could not ${what}`));
  }
}
