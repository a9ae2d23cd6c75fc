import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { promptly } from '#db/promptly.ts';
import type { Logger } from '#platform/logger.ts';
import type { Snapshot } from './snapshot.ts';

const mirroredTables = [
  'tenants',
  'users',
  'api_keys',
  'sessions',
  'llm_providers',
  'user_provider_access',
  'teams',
  'team_members',
  'team_provider_access',
  'blacklist_entries',
  'tasks',
  'task_assignments',
  'price_overrides',
  'platform_settings',
];
const polledTables = [...mirroredTables, 'allowances'];
const pollMs = 500;
const compareMs = 60_000;
/** The same while nobody listens: what is deleted then leaves nothing for the poll to find (reliability K1: 5 s). */
const compareDeafMs = 3_000;
const unreadyAfterMs = 2_000;
const heartbeatMs = 1_000;
const reconnectMs = 1_000;

/** For how long cached credentials stay good once the database cannot confirm them (reliability K3). */
const staleAfterMs = 30_000;

export interface ChangeFeed {
  /** False once nothing has confirmed the snapshot for 30 s. */
  isFresh(): boolean;
  /** Why the node should get no requests, `null` when the database has answered within 2 s. */
  unreadiness(): string | null;
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
 * Keeps a loaded snapshot current: notifications within milliseconds; behind them a poll every 500 ms that re-reads
 * the last 10 s (a late commit carries an early timestamp), and a full read each minute for what both have missed,
 * each 3 s while no notification can come.
 */
export function followChanges({
  snapshot,
  pool,
  directConnectionString,
  onAnnounced,
  log,
}: ChangeFeedOptions): ChangeFeed {
  const stopping = new AbortController();
  let confirmedAtMs = performance.now();
  // Apart from the former: behind many changes the reading takes its time, and the database is there all the while.
  let answeredAtMs = performance.now();
  const noteAnswer = () => {
    answeredAtMs = performance.now();
  };

  let loadedAtMs = performance.now();
  const load = async () => {
    await snapshot.load();
    loadedAtMs = performance.now();
  };

  const refresh = async (changes: readonly string[]) => {
    const idsByTable = Map.groupBy(changes, (change) => change.slice(0, change.indexOf(':')));
    for (const [table, entries] of idsByTable) {
      await snapshot.refresh(table, [...new Set(entries.map((change) => change.slice(table.length + 1)))]);
    }
  };

  const poll = async () => {
    const { rows } = await pool.query<{ change: string }>(promptly(pollStatement));
    noteAnswer();
    for (const { change } of rows) onAnnounced(change);
    await refresh(rows.map(({ change }) => change));
    confirmedAtMs = performance.now();
  };

  // What is announced while a read is on its way is read together after it.
  const announced = new Set<string>();
  let reading: Promise<void> | null = null;
  const readAnnounced = async () => {
    while (announced.size > 0) {
      const changes = [...announced];
      announced.clear();
      await refresh(changes).catch((error) => log.warn({ error }, 'could not read announced changes'));
    }
    reading = null;
  };
  let isListening = false;
  const listening = listen(directConnectionString, stopping.signal, log, {
    onAnswer: noteAnswer,
    async onListening() {
      // What was deleted while nobody listened is told by nothing else.
      await load();
      isListening = true;
    },
    onDeaf() {
      isListening = false;
    },
    onChange(change) {
      onAnnounced(change);
      announced.add(change);
      reading ??= readAnnounced();
    },
  });
  const polling = repeat(pollMs, stopping.signal, log, 'poll for changes', poll);
  const comparing = repeat(compareDeafMs, stopping.signal, log, 'read the snapshot anew', async () => {
    if (!isListening || performance.now() - loadedAtMs >= compareMs) await load();
  });

  return {
    isFresh: () => performance.now() - confirmedAtMs < staleAfterMs,
    unreadiness: () =>
      performance.now() - answeredAtMs < unreadyAfterMs ? null : 'The database cannot be reached.',
    async stop() {
      stopping.abort();
      await Promise.all([listening, polling, comparing]);
      await reading;
    },
  };
}

const pollStatement = polledTables
  .map(
    (table) =>
      `SELECT '${table}:' || id AS change FROM ${table} WHERE changed_at > now() - interval '10 seconds'`,
  )
  .join(' UNION ALL ');

interface ListenEvents {
  onAnswer(): void;
  onListening(): Promise<void>;
  onDeaf(): void;
  onChange(change: string): void;
}

async function listen(
  connectionString: string,
  signal: AbortSignal,
  log: Logger,
  { onAnswer, onListening, onDeaf, onChange }: ListenEvents,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString,
      application_name: 'sluice-changes',
      connectionTimeoutMillis: 5_000,
    });
    // A broken connection shows at the next heartbeat.
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => {
      if (payload) onChange(payload);
    });
    try {
      await client.connect();
      await client.query('LISTEN sluice_changes');
      await onListening();
      // Who only listens never learns that the other side is gone.
      while (!signal.aborted) {
        await pause(heartbeatMs, signal);
        await client.query(promptly('SELECT 1'));
        onAnswer();
      }
    } catch (error) {
      log.warn({ error }, 'cannot listen for changes; polling goes on');
    }
    onDeaf();
    // Not waited for: the farewell to a silent database has no end.
    client.end().catch(() => undefined);
    await pause(reconnectMs, signal);
  }
}

async function repeat(
  everyMs: number,
  signal: AbortSignal,
  log: Logger,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (signal.aborted) return;
    await work().catch((error) => log.warn({ error }, `could not ${what}`));
  }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return setTimeout(durationMs, undefined, { signal }).catch(() => undefined);
}
