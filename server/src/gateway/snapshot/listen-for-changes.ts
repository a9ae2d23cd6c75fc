import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { createClient } from '#db/client.ts';
import { withQueryTimeout } from '#db/query-timeout.ts';
import type { Logger } from '#platform/logger.ts';

/** A hot standby says so by itself, also where it is told to write. */
const heartbeat = "SELECT current_setting('transaction_read_only')::boolean AS is_read_only";
const heartbeatMs = 1_000;
const reconnectMs = 1_000;

export interface ListenOptions {
  readonly connectionString: string;
  readonly log: Logger;
  /** The database lives, and takes writes or not. */
  onAnswer(isReadOnly: boolean): void;
  /** No connection could be made, or the one that was has broken. */
  onFailure(error: unknown): void;
  /** From now on changes are heard. */
  onListening(): Promise<void>;
  /** What is announced is a table and an id: `users:7`. */
  onChange(change: string): void;
}

export interface ChangeListener {
  /** False while nothing that is announced is heard. */
  isListening(): boolean;
  /** Resolves when everything has been heard that was committed before the call; rejects when that cannot be known. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Hears what triggers announce, on a connection of its own, which is made anew whenever it breaks. */
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
        options.log.warn({ error }, 'cannot listen for changes; polling goes on');
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
  // What this session tells itself; notifications come in the order of their commits, whatever their channel.
  const ownChannel = `sluice_heard_${randomUUID().replaceAll('-', '')}`;
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  // A broken connection shows at the next heartbeat.
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
      // A connection that only listens never learns that the other side is gone.
      while (!signal.aborted) {
        await pause(heartbeatMs, signal);
        await requireWritable(client, onAnswer);
      }
    },
    async catchUp() {
      const heard = Promise.withResolvers<void>();
      heard.promise.catch(() => undefined);
      const id = randomUUID();
      waiting.set(id, heard);
      try {
        await client.query(withQueryTimeout('SELECT pg_notify($1, $2)', [ownChannel, id]));
        await heard.promise;
      } finally {
        waiting.delete(id);
      }
    },
    end() {
      for (const { reject } of waiting.values()) reject(new Error('the connection for changes broke'));
      // Not waited for: a database that does not answer would hold this up for ever.
      client.end().catch(() => undefined);
    },
  };
}

/** A session keeps the default that it began with, so one that may not write is given up for a new one. */
async function requireWritable(client: pg.Client, onAnswer: ListenOptions['onAnswer']): Promise<void> {
  const { rows } = await client.query<{ is_read_only: boolean }>(withQueryTimeout(heartbeat));
  const isReadOnly = rows[0]?.is_read_only ?? false;
  onAnswer(isReadOnly);
  if (isReadOnly) throw new Error('the database takes no writes');
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return setTimeout(durationMs, undefined, { signal }).catch(() => undefined);
}
