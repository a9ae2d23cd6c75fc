import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import type { Logger } from '#platform/logger.ts';
import { runInSlices } from '#platform/run-in-slices.ts';
import { createAnnouncedChanges } from './announced-changes.ts';
import { listenForChanges } from './listen-for-changes.ts';
import type { Snapshot } from './snapshot.ts';
import { mirroredTables } from './tables/all-tables.ts';

const polledTables = [...Object.values(mirroredTables).map(({ name }) => name), 'allowances'];
const pollMs = 500;
const compareMs = 60_000;
/** The same while nobody listens: what is deleted then leaves nothing for the poll to find, and may be noticed 5 s later at most. */
const compareNotListeningMs = 3_000;
const unreadyAfterMs = 2_000;

/** For how long cached credentials stay good once the database cannot confirm them. */
const staleAfterMs = 30_000;

export interface ChangeFeed {
  /** False once nothing has confirmed the snapshot for 30 s. */
  isFresh(): boolean;
  /** Why the node should get no requests, `null` when the database has answered within 2 s. */
  unreadiness(): string | null;
  /** Resolves when every change has been read that was committed before the call; rejects when that is not known. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChangeFeedOptions {
  snapshot: Snapshot;
  pool: pg.Pool;
  /** Past any pooler: notifications need a session of their own. */
  directConnectionString: string;
  /** Hears of everything that is announced, also of what the snapshot does not hold. */
  onAnnounced: (change: string) => void;
  log: Logger;
}

/**
 * Keeps a loaded snapshot current: notifications within milliseconds; behind them a poll every 500 ms of what has
 * changed in the last 10 s (a late commit carries an early timestamp), and a full read each minute for what both have
 * missed, each 3 s while no notification can come.
 */
export function followChanges(options: ChangeFeedOptions): ChangeFeed {
  const { snapshot, pool, directConnectionString: connectionString, onAnnounced, log } = options;
  const stopping = new AbortController();
  const freshness = createFreshness();
  const reload = createReload(snapshot);

  const announced = createAnnouncedChanges(snapshot, log);
  const onNotification = (change: string) => {
    onAnnounced(change);
    announced.add(change);
  };
  const findChanged = createPoll(pool);
  const poll = async () => {
    const changed = await findChanged();
    freshness.onAnswer();
    await runInSlices(changed.changes, onNotification);
    await announced.whenRead();
    changed.confirm();
    freshness.onConfirmed();
  };

  const listener = listenForChanges({
    connectionString,
    log,
    onAnswer: freshness.onAnswer,
    // What was deleted while nobody listened is told by nothing else.
    onListening: reload.run,
    onChange: onNotification,
  });
  const polling = repeat(pollMs, stopping.signal, log, 'poll for changes', poll);
  const comparing = repeat(pollMs, stopping.signal, log, 'read the snapshot anew', async () => {
    const dueMs = listener.isListening() ? compareMs : compareNotListeningMs;
    if (reload.ageMs() >= dueMs) await reload.run();
  });

  return {
    isFresh: freshness.isFresh,
    unreadiness: freshness.unreadiness,
    catchUp: () => listener.catchUp().then(announced.whenRead, poll),
    async stop() {
      stopping.abort();
      await Promise.all([listener.stop(), polling, comparing]);
      await announced.whenRead().catch(() => undefined);
    },
  };
}

/** Reads the whole snapshot anew, and tells how long ago it was read last. */
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

/** When the database has answered at all is apart from when it has confirmed the snapshot: reading many changes takes its time. */
function createFreshness() {
  let confirmedAtMs = performance.now();
  let answeredAtMs = performance.now();
  return {
    onAnswer(): void {
      answeredAtMs = performance.now();
    },
    onConfirmed(): void {
      confirmedAtMs = performance.now();
    },
    isFresh: () => performance.now() - confirmedAtMs < staleAfterMs,
    unreadiness: () =>
      performance.now() - answeredAtMs < unreadyAfterMs ? null : 'The database cannot be reached.',
  };
}

const pollStatement = polledTables
  .map(
    (table) =>
      `SELECT '${table}:' || id AS change, changed_at::text AS stamp FROM ${table} WHERE changed_at > now() - interval '10 seconds'`,
  )
  .join(' UNION ALL ');

/** Answers which rows have changed and were not confirmed, as they are now, to have been read. */
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
