import { and, asc, eq, getTableColumns, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { SystemDatabase } from '#db/system.ts';

/** A row is due when `nextAttemptAt` has passed. */
interface QueueTable extends PgTable {
  readonly id: PgColumn;
  readonly nextAttemptAt: PgColumn;
}

export interface AttemptFailure {
  readonly error: unknown;
  readonly message: string;
  readonly isGivenUp: boolean;
}

/**
 * Queue of effects outside of the database, one per row. An effect is attempted until it succeeds, fails permanently
 * or has used up its attempts.
 */
export interface RetryQueue<Table extends QueueTable> {
  readonly table: Table;
  /** Condition for rows whose effect is still required, including those in progress. */
  readonly isOpen: SQL;
  /** Condition for open rows that are attempted when due. Defaults to all open rows. */
  readonly isScheduled?: SQL;
  /**
   * Seconds for which a started attempt prevents other nodes from starting one. Must exceed the duration of any
   * attempt.
   */
  readonly claimSeconds: number;
  /** Delays after consecutive failures. A failure after the last delay is final. */
  readonly retrySeconds: readonly number[];
  /** Columns to set when an attempt starts, including the count of attempts. */
  readonly started: PgUpdateSetSource<Table>;
  /** Returns the number of attempts so far, including the current one. */
  attemptsOf(row: Table['$inferSelect']): number;
  /** Called in the transaction that starts an attempt. Returning `false` keeps the row due. */
  admit?(tx: SystemDatabase): Promise<boolean>;
  /** Causes the effect. A row may be attempted twice, so a repetition must be harmless or recognizable. */
  attempt(row: Table['$inferSelect']): Promise<void>;
  isFinal?(error: unknown): boolean;
  succeeded(row: Table['$inferSelect']): PgUpdateSetSource<Table>;
  failed(row: Table['$inferSelect'], failure: AttemptFailure): PgUpdateSetSource<Table>;
  /** Called after a failure has been recorded. */
  onFailed?(row: Table['$inferSelect'], failure: AttemptFailure): void;
}

/**
 * Attempts due rows, longest due first, until `max` rows were attempted, no row is due, `admit` returns `false`, or the
 * signal aborts. Several nodes may run the function concurrently. No connection is held during an attempt.
 */
export async function attemptDueRows<Table extends QueueTable>(
  database: SystemDatabase,
  queue: RetryQueue<Table>,
  { signal, max = Number.POSITIVE_INFINITY }: { readonly signal: AbortSignal; readonly max?: number },
): Promise<void> {
  const isDue = and(queue.isScheduled, lte(queue.table.nextAttemptAt, sql`now()`));
  for (let attempted = 0; attempted < max && !signal.aborted; attempted++) {
    const claim = await claimRow(database, queue, isDue);
    if (!claim) return;
    await attempt(database, queue, claim);
  }
}

/**
 * Attempts one row if it matches the condition, whether due or not. Returns whether the attempt succeeded;
 * `undefined` if there was none.
 */
export async function attemptRow<Table extends QueueTable>(
  database: SystemDatabase,
  queue: RetryQueue<Table>,
  id: number,
  isFree: SQL | undefined,
): Promise<boolean | undefined> {
  const claim = await claimRow(database, queue, and(eq(queue.table.id, id), isFree));
  return claim && attempt(database, queue, claim);
}

interface Claim<Table extends QueueTable> {
  readonly id: unknown;
  readonly row: Table['$inferSelect'];
  /** End of the claim in full precision, since this time identifies the attempt. */
  readonly until: string;
}

const secondsFromNow = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

function claimRow<Table extends QueueTable>(
  database: SystemDatabase,
  queue: RetryQueue<Table>,
  isWanted: SQL | undefined,
): Promise<Claim<Table> | undefined> {
  const { id, nextAttemptAt } = queue.table;
  // Drizzle cannot type queries of a generic table.
  const table: QueueTable = queue.table;
  return database.transaction(async (tx) => {
    const [found] = await tx
      .select({ id })
      .from(table)
      .where(and(queue.isOpen, isWanted))
      .orderBy(asc(nextAttemptAt), asc(id))
      .limit(1)
      .for('no key update', { skipLocked: true });
    if (!found || (queue.admit && !(await queue.admit(tx)))) return undefined;
    const [claimed] = await tx
      .update(table)
      .set({ ...queue.started, nextAttemptAt: secondsFromNow(queue.claimSeconds) })
      .where(eq(id, found.id))
      .returning({ ...getTableColumns(table), claimedUntil: sql<string>`${nextAttemptAt}::text` });
    if (!claimed) throw new Error('the claimed row is gone although it is locked');
    const { claimedUntil, ...row } = claimed;
    return { id: found.id, row: row as Table['$inferSelect'], until: claimedUntil };
  });
}

async function attempt<Table extends QueueTable>(
  database: SystemDatabase,
  queue: RetryQueue<Table>,
  { id, row, until }: Claim<Table>,
): Promise<boolean> {
  const { nextAttemptAt } = queue.table;
  const isRow = and(eq(queue.table.id, id), queue.isOpen);
  const record = (columns: PgUpdateSetSource<Table>, condition: SQL | undefined) =>
    database.update<QueueTable>(queue.table).set(columns).where(condition);
  const failure = await findFailure(queue, row);
  if (!failure) {
    await record(queue.succeeded(row), isRow);
    return true;
  }
  const delay = failure.isGivenUp ? undefined : queue.retrySeconds[queue.attemptsOf(row) - 1];
  const again = delay === undefined ? {} : { nextAttemptAt: secondsFromNow(delay) };
  // A row whose claim has expired and was renewed belongs to another attempt.
  const isOurs = sql`${nextAttemptAt} = ${until}::timestamptz`;
  await record({ ...queue.failed(row, failure), ...again }, and(isRow, isOurs));
  queue.onFailed?.(row, failure);
  return false;
}

async function findFailure<Table extends QueueTable>(
  queue: RetryQueue<Table>,
  row: Table['$inferSelect'],
): Promise<AttemptFailure | undefined> {
  try {
    await queue.attempt(row);
    return undefined;
  } catch (error) {
    const isLast = queue.attemptsOf(row) > queue.retrySeconds.length;
    const message = error instanceof Error ? error.message : String(error);
    return { error, message, isGivenUp: isLast || (queue.isFinal?.(error) ?? false) };
  }
}
