import type pg from 'pg';

/** Start of a record in the journal of its run. Records are written to the database in this order. */
export interface Position {
  /** Number of the segment file. */
  readonly segment: number;
  readonly offset: number;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.segment === other.segment ? one.offset > other.offset : one.segment > other.segment;
}

/**
 * Thrown if the database no longer contains all it had received of a run, because it was restored or a replica
 * without the last batches has taken over. The journal must be read again from its start.
 */
export class PositionLostError extends Error {
  override readonly name = 'PositionLostError';
}

export interface Move {
  readonly runId: string;
  /** Position that the caller last read or wrote; `null` initially. */
  readonly known: Position | null;
  /** Positions of the first and the last record to write. */
  readonly first: Position;
  readonly last: Position;
}

/**
 * Moves the position of a run to the last record, in the caller's transaction, which locks the position. Changes
 * nothing and returns the position if it has already reached the first record.
 * @throws PositionLostError
 */
export async function movePosition(
  client: pg.ClientBase,
  { runId, known, first, last }: Move,
): Promise<Position | null> {
  const to = [runId, last.segment, last.offset, first.segment, first.offset];
  const { rowCount } = await (known
    ? client.query(move, [...to, known.segment, known.offset])
    : client.query(start, to));
  if (rowCount === 1) return null;
  const { rows } = await client.query<Position>(read, [runId]);
  const position = rows[0];
  if (!position || (known && isAfter(known, position)))
    throw new PositionLostError(
      `The database has lost requests of the run ${runId}. Its journal is read again.`,
    );
  return position;
}

/**
 * Removes the position of a run that has ended, and positions not moved for 30 days, whose journals were lost with
 * their disks. Without a position, the unique key of the rows determines which requests the database contains.
 */
export async function removePosition(pool: pg.Pool, runId: string): Promise<void> {
  await pool.query(remove, [runId]);
}

const start = `INSERT INTO journal_positions AS known (run, segment, "offset") VALUES ($1, $2, $3)
  ON CONFLICT (run) DO UPDATE SET segment = EXCLUDED.segment, "offset" = EXCLUDED."offset", moved_at = now()
  WHERE (known.segment, known."offset") < ($4::integer, $5::integer)`;

const move = `UPDATE journal_positions SET segment = $2, "offset" = $3, moved_at = now()
  WHERE run = $1 AND (segment, "offset") < ($4::integer, $5::integer) AND (segment, "offset") >= ($6::integer, $7::integer)`;

const read = 'SELECT segment, "offset" FROM journal_positions WHERE run = $1';

const remove = "DELETE FROM journal_positions WHERE run = $1 OR moved_at < now() - interval '30 days'";
