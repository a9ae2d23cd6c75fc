import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Clock } from '#platform/clock.ts';
import { dropOldest } from '#platform/drop-oldest.ts';
import type { ChangeFeed } from './follow-changes.ts';
import type { Snapshot } from './snapshot.ts';

/** Looks up keys that are missing from the snapshot, since they may be new. */
export interface MissingKeys {
  /**
   * Resolves when the snapshot has the key, if it exists, and everything committed with or before the key, such as
   * the user's tasks and grants. `hash` is base64.
   * @throws GatewayError if the key cannot be looked up now
   */
  read(hash: string): Promise<void>;
}

export interface MissingKeysTimes {
  /** Time during which an unknown key is not looked up again. */
  readonly unknownMs: number;
  /** Minimum interval between statements, however many keys are looked up. */
  readonly intervalMs: number;
}

const defaultTimes: MissingKeysTimes = { unknownMs: 5_000, intervalMs: 20 };
const batchKeys = 1_000;
const waitingMax = 10_000;
const unknownMax = 10_000;

export interface MissingKeysParts {
  readonly pool: pg.Pool;
  readonly snapshot: Snapshot;
  readonly changes: Pick<ChangeFeed, 'catchUp'>;
  readonly clock: Clock;
  readonly times?: MissingKeysTimes;
}

/**
 * Concurrent keys share statements, of which at most one is in flight, so that invalid keys add little database load
 * and do not block valid ones. Requests beyond the waiting limit are rejected with a retry time.
 */
export function createMissingKeys(parts: MissingKeysParts): MissingKeys {
  const { pool, snapshot, changes, clock, times = defaultTimes } = parts;
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const unknown = createUnknownKeys(clock, times.unknownMs);
  let isRunning = false;

  const readBatch = async (hashes: readonly string[]) => {
    const rows = await selectKeys(pool, hashes);
    await snapshot.refresh('users', [...new Set(rows.map(({ userId }) => String(userId)))]);
    await snapshot.refresh(
      'api_keys',
      rows.map(({ id }) => String(id)),
    );
    if (rows.length > 0) await changes.catchUp();
    const found = new Set(rows.map(({ hash }) => hash));
    for (const hash of hashes) if (!found.has(hash)) unknown.add(hash);
  };

  const run = async () => {
    isRunning = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, batchKeys);
      for (const [hash] of batch) waiting.delete(hash);
      try {
        await readBatch(batch.map(([hash]) => hash));
        for (const [, { resolve }] of batch) resolve();
      } catch (cause) {
        for (const [, { reject }] of batch) reject(unknownKeyError(cause));
      }
      await pause(times.intervalMs);
    }
    isRunning = false;
  };

  return {
    async read(hash) {
      if (unknown.has(hash)) return;
      const together = waiting.get(hash);
      if (together) return together.promise;
      if (waiting.size >= waitingMax) throw unknownKeyError();
      const asked = Promise.withResolvers<void>();
      waiting.set(hash, asked);
      if (!isRunning) void run();
      return asked.promise;
    },
  };
}

/** When full, a new key replaces the oldest one. */
function createUnknownKeys(clock: Clock, unknownMs: number) {
  const untilMs = new Map<string, number>();
  return {
    add(hash: string): void {
      untilMs.set(hash, clock() + unknownMs);
      dropOldest(untilMs, unknownMax);
    },
    has(hash: string): boolean {
      if (clock() < (untilMs.get(hash) ?? 0)) return true;
      untilMs.delete(hash);
      return false;
    },
  };
}

async function selectKeys(pool: pg.Pool, hashes: readonly string[]) {
  const keys = hashes.map((hash) => Buffer.from(hash, 'base64'));
  const { rows } = await pool.query<{ id: number; userId: number; hash: string }>(
    withQueryTimeout(findKeys, [keys]),
  );
  return rows;
}

const findKeys = `SELECT id, user_id AS "userId", encode(key_hash, 'base64') AS hash
  FROM api_keys WHERE key_hash = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

function unknownKeyError(cause?: unknown): GatewayError {
  return new GatewayError('not_ready', 'The gateway cannot check credentials at the moment. Please retry.', {
    retryAfterMs: 1_000,
    cause,
  });
}
