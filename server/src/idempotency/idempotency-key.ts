import { createHmac } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { idempotencyKeys } from '#db/schema/platform.ts';
import { ConsoleError } from '#errors/console-error.ts';
import {
  openSecret,
  SealBrokenError,
  type SealingKey,
  type SecretPlace,
  sealSecret,
} from '#platform/seal-secret.ts';

/**
 * Runs work once per Idempotency-Key, caller and route, and replays its response to the same request for 24 hours.
 * The key commits with the work's transaction, so rejected or rolled-back work can be retried. Responses are
 * encrypted, since they may contain secrets. Without a key, the work always runs.
 * @throws ConsoleError 409 while the first request runs on any node, or if its response can no longer be decrypted;
 * 422 if the key was used for another request
 */
export type RunIdempotent = <Answer>(tx: NodePgDatabase, work: () => Promise<Answer>) => Promise<Answer>;

export interface KeyedRequest {
  /** Idempotency key; `undefined` if the caller sent none. */
  readonly key: string | undefined;
  /** Tenant of the caller; `null` for unauthenticated callers, who share their keys. */
  readonly tenantId: number | null;
  readonly actorId: number | null;
  readonly route: string;
  readonly input: unknown;
  readonly sealingKey: SealingKey;
  onReplay(): void;
}

export function createRunIdempotent({
  key,
  input,
  sealingKey,
  onReplay,
  ...owner
}: KeyedRequest): RunIdempotent {
  if (key === undefined) return (_tx, work) => work();
  const place = { ...owner, key };
  // The hash is keyed, because the input may contain a password.
  const hashWith = (secret: Uint8Array) =>
    createHmac('sha256', secret).update(JSON.stringify(input)).digest();
  return async <Answer>(tx: NodePgDatabase, work: () => Promise<Answer>) => {
    if (!(await takeTurn(tx, place))) {
      throw new ConsoleError(
        409,
        'A request with this idempotency key is still in progress. Retry later.',
        1,
      );
    }
    const kept = await findAnswer(tx, place);
    if (!kept) {
      const answer = await work();
      const sealed = sealSecret(sealingKey, secretPlaceOf(place), JSON.stringify(answer ?? null));
      await keepAnswer(tx, {
        ...place,
        requestHash: hashWith(sealingKey.current),
        answer: sealed.toString('base64'),
      });
      return answer;
    }
    // The response is decrypted first. If the secret is gone, the request hash cannot be compared either.
    const answer = openAnswer(sealingKey, place, kept.answer);
    if (!sealingKey.all.some((secret) => kept.requestHash.equals(hashWith(secret)))) {
      throw new ConsoleError(
        422,
        'This idempotency key was already used for a different request. Use a new key for each request.',
      );
    }
    onReplay();
    return answer as Answer; // safe because the work of this route created the response
  };
}

function openAnswer(sealingKey: SealingKey, place: Place, sealed: unknown): unknown {
  try {
    return JSON.parse(openSecret(sealingKey, secretPlaceOf(place), Buffer.from(String(sealed), 'base64')));
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    throw new ConsoleError(
      409,
      'This request has already been processed, but its response can no longer be read',
    );
  }
}

function secretPlaceOf({ tenantId, actorId, route, key }: Place): SecretPlace {
  return {
    tenantId: tenantId ?? 0,
    table: 'idempotency_keys',
    rowId: actorId ?? 0,
    column: `answer of ${route} ${key}`,
  };
}

type Place = Pick<typeof idempotencyKeys.$inferSelect, 'tenantId' | 'actorId' | 'route' | 'key'>;

const isSame = (column: PgColumn, value: number | null) =>
  value === null ? isNull(column) : eq(column, value);

/** The lock ends with the transaction. Returns `false` if another transaction holds the lock. */
async function takeTurn(tx: NodePgDatabase, { tenantId, actorId, route, key }: Place): Promise<boolean> {
  const name = [tenantId, actorId, route, key].join(' ');
  const { rows } = await tx.execute<{ isOurs: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "isOurs"`,
  );
  return rows[0]?.isOurs === true;
}

async function findAnswer(tx: NodePgDatabase, { tenantId, actorId, route, key }: Place) {
  const { requestHash, answer, createdAt } = idempotencyKeys;
  const [row] = await tx
    .select({ requestHash, answer })
    .from(idempotencyKeys)
    .where(
      and(
        isSame(idempotencyKeys.tenantId, tenantId),
        isSame(idempotencyKeys.actorId, actorId),
        eq(idempotencyKeys.route, route),
        eq(idempotencyKeys.key, key),
        gt(createdAt, sql`now() - interval '24 hours'`),
      ),
    );
  return row;
}

/** Replaces an expired row that no job has deleted yet. */
async function keepAnswer(tx: NodePgDatabase, row: typeof idempotencyKeys.$inferInsert): Promise<void> {
  const { tenantId, actorId, route, key } = idempotencyKeys;
  const { requestHash, answer } = row;
  await tx
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [tenantId, actorId, route, key],
      set: { requestHash, answer, createdAt: sql`now()` },
    });
}
