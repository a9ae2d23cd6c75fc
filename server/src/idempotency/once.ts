import { createHash } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { idempotencyKeys } from '#db/schema/idempotency-keys.ts';
import { ConsoleError } from '#errors/console-error.ts';

/**
 * Does work once for each Idempotency-Key of a caller and a route, and answers what it answered the first time to every
 * repetition of the same request within 24 hours. The key is written in the transaction of the work, so there is a key
 * if and only if there is the effect, also when the process dies before it has answered; what was refused or rolled back
 * leaves none and may be tried again. Without a key it just does the work.
 *
 * The answer is kept as plain JSON: never use it where an answer holds a secret.
 * @throws ConsoleError 409 while the first one is still at work, on whatever node; 422 for the key of another request.
 */
export type Once = <Answer>(tx: NodePgDatabase, work: () => Promise<Answer>) => Promise<Answer>;

export interface KeyedRequest {
  /** `undefined` when the caller sent none. */
  readonly key: string | undefined;
  /** `null` for strangers, who have their keys in common. */
  readonly tenantId: number | null;
  readonly actorId: number | null;
  /** The row's name in the contract. */
  readonly route: string;
  /** What was asked for, after validation. */
  readonly input: unknown;
  /** Called when the answer is a repeated one. */
  onReplay(): void;
}

export function createOnce({ key, input, onReplay, ...owner }: KeyedRequest): Once {
  if (key === undefined) return (_tx, work) => work();
  const place = { ...owner, key };
  const requestHash = createHash('sha256').update(JSON.stringify(input, withoutPasswords)).digest();
  return async <Answer>(tx: NodePgDatabase, work: () => Promise<Answer>) => {
    if (!(await takeTurn(tx, place))) {
      throw new ConsoleError(409, 'A request with this idempotency key is still at work', 1);
    }
    const kept = await findAnswer(tx, place);
    if (!kept) {
      const answer = await work();
      await keepAnswer(tx, { ...place, requestHash, answer: answer ?? null });
      return answer;
    }
    if (!kept.requestHash.equals(requestHash)) {
      throw new ConsoleError(422, 'This idempotency key was used for another request');
    }
    onReplay();
    return kept.answer as Answer; // safe because this route's own work answered it
  };
}

/** A fast hash of what else is known would let a reader of the table try passwords. */
function withoutPasswords(name: string, value: unknown): unknown {
  return /password/.test(name) ? undefined : value;
}

type Place = Pick<typeof idempotencyKeys.$inferSelect, 'tenantId' | 'actorId' | 'route' | 'key'>;

const isSame = (column: PgColumn, value: number | null) =>
  value === null ? isNull(column) : eq(column, value);

/** A lock that ends with the transaction, however that ends; it is never waited for. */
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

/** In place of one that has expired and that no job has deleted yet. */
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
