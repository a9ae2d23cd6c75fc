import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { createClient } from '#db/client.ts';
import { withQueryTimeout } from '#db/query-timeout.ts';
import type { Logger } from '#platform/logger.ts';
import type { Snapshot } from './snapshot.ts';

/** A hot standby reports itself as read-only, even to a session that requests writes. */
const heartbeat = "SELECT current_setting('transaction_read_only')::boolean AS is_read_only";
const heartbeatMs = 1_000;
const reconnectMs = 1_000;

export interface ListenOptions {
  readonly connectionString: string;
  readonly log: Logger;
  /** `isReadOnly` is true for a database that accepts no writes. */
  onAnswer(isReadOnly: boolean): void;
  onFailure(error: unknown): void;
  onListening(): Promise<void>;
  /** The change is a table and id, such as `users:7`. */
  onChange(change: string): void;
}

export interface ChangeListener {
  isListening(): boolean;
  /** Resolves when everything committed before the call has been received; rejects if that cannot be determined. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Uses a dedicated connection, and reconnects whenever the connection breaks. */
export function listenForChanges(options: ListenOptions): ChangeListener {
  const stopping = new AbortController();
  let current: Session | null = null;
  const listening = (async () => {
    while (!stopping.signal.aborted) {
      const session = openSession(options);
      try {
        await session.start();
        await options.onListening();
        current = session;
        await session.untilBroken(stopping.signal);
      } catch (error) {
        options.onFailure(error);
        options.log.warn({ error }, 'cannot listen for changes; polling continues');
      }
      current = null;
      session.end();
      await pause(reconnectMs, stopping.signal);
    }
  })();
  return {
    isListening: () => current !== null,
    catchUp: () => current?.catchUp() ?? Promise.reject(new Error('the node is not listening for changes')),
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}

interface Session {
  start(): Promise<void>;
  untilBroken(signal: AbortSignal): Promise<void>;
  catchUp(): Promise<void>;
  end(): void;
}

function openSession({ connectionString, onAnswer, onChange }: ListenOptions): Session {
  const client = createClient({
    connectionString,
    application_name: 'sluice-changes',
    connectionTimeoutMillis: 5_000,
  });
  // Channel for messages of this session to itself. Notifications arrive in commit order across all channels.
  const ownChannel = `sluice_heard_${randomUUID().replaceAll('-', '')}`;
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  // The next heartbeat detects a broken connection.
  client.on('error', () => undefined);
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === ownChannel) waiting.get(payload)?.resolve();
    else if (payload) onChange(payload);
  });
  return {
    async start() {
      await client.connect();
      await requireWritable(client, onAnswer);
      await client.query(`LISTEN sluice_changes; LISTEN ${ownChannel}`);
    },
    async untilBroken(signal) {
      // A connection that only listens never detects that the other side has disappeared.
      while (!signal.aborted) {
        await pause(heartbeatMs, signal);
        await requireWritable(client, onAnswer);
      }
    },
    async catchUp() {
      const received = Promise.withResolvers<void>();
      received.promise.catch(() => undefined);
      const id = randomUUID();
      waiting.set(id, received);
      try {
        await client.query(withQueryTimeout('SELECT pg_notify($1, $2)', [ownChannel, id]));
        await received.promise;
      } finally {
        waiting.delete(id);
      }
    },
    end() {
      for (const { reject } of waiting.values())
        reject(new Error('the connection for change notifications was lost'));
      // Not awaited, since an unresponsive database would block this forever.
      client.end().catch(() => undefined);
    },
  };
}

/** A session keeps its initial read-only default, so a read-only session is replaced with a new one. */
async function requireWritable(client: pg.Client, onAnswer: ListenOptions['onAnswer']): Promise<void> {
  const { rows } = await client.query<{ is_read_only: boolean }>(withQueryTimeout(heartbeat));
  const isReadOnly = rows[0]?.is_read_only ?? false;
  onAnswer(isReadOnly);
  if (isReadOnly) throw new Error('the database is read-only');
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return setTimeout(durationMs, undefined, { signal }).catch(() => undefined);
}

/** Changes announced during a round are read together in the next round. */
export interface AnnouncedChanges {
  /** Requests a read of a row, such as `users:7`. */
  add(change: string): void;
  /** Resolves when all previously added changes have been read; rejects if any of them could not be read. */
  whenRead(): Promise<void>;
}

export function createAnnouncedChanges(
  { refresh }: Pick<Snapshot, 'refresh'>,
  log: Logger,
): AnnouncedChanges {
  let idsByTable = new Map<string, Set<string>>();
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  const readRound = async () => {
    const round = idsByTable;
    idsByTable = new Map();
    next = null;
    const reads = await Promise.allSettled([...round].map(([table, ids]) => refresh(table, [...ids])));
    for (const read of reads) if (read.status === 'rejected') throw read.reason;
  };
  const startRound = () => {
    const round = last.then(readRound);
    last = round.catch((error) => log.warn({ error }, 'could not read announced changes'));
    return round;
  };
  const whenRead = () => {
    next ??= startRound();
    return next;
  };

  return {
    add(change) {
      const table = change.slice(0, change.indexOf(':'));
      idsByTable.getOrInsertComputed(table, () => new Set()).add(change.slice(table.length + 1));
      void whenRead();
    },
    whenRead,
  };
}
