import type pg from 'pg';

/** Start of a record in a run's journal. Records are written to the database in this order. */
export interface Position {
  /** Number of the segment file. */
  readonly segment: number;
  readonly offset: number;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.segment === other.segment ? one.offset > other.offset : one.segment > other.segment;
}

/**
 * Thrown if the database has lost requests of the run, either because it was restored or because a replica without
 * the last batches was promoted. The journal must be read again from its start.
 */
export class PositionLostError extends Error {
  override readonly name = 'PositionLostError';
}

export interface Move {
  readonly runId: string;
  /** Position last read or written by the caller; `null` initially. */
  readonly known: Position | null;
  /** Start of the range of records to write. */
  readonly first: Position;
  readonly last: Position;
}

/**
 * Advances and locks a run's position in the caller's transaction. If the position has already reached the first
 * record, returns the position without changes; otherwise returns `null`.
 * @throws PositionLostError if the database has lost requests of the run
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
 * Also removes positions that have not moved for 30 days: their journals were lost with their disks. Without a
 * position, the unique key of the rows determines whether a request is in the database.
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
