import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import { LogTimeoutError } from '#domain/request-log/log-store-error.ts';
import { all, type Condition } from './conditions.ts';
import { floorOf, msOf, toRowId } from './row-id.ts';

const dayMs = 86_400_000;
/** Ends of the windows, in UTC days before the newest one; each is several times as long as the previous one. */
const windowDays = [1, 8, 64];

/** Rows to select, newest first. */
interface NewestRows {
  readonly chosen: ChosenRows & Pick<LogPage, 'before'>;
  readonly condition: Condition;
  readonly most: number;
  /** Time limit for all queries together. */
  readonly timeoutMs: number | undefined;
}

/** A part of the rows: the newest `most` that match the condition. */
interface RowWindow {
  readonly condition: Condition;
  readonly most: number;
  readonly timeoutMs: number | undefined;
}

/**
 * Reads rows in windows of days, newest first, until there are enough. A query for the newest rows of a table starts
 * to read all parts of all its days, although it needs few of them. `read` returns the number of rows that it found.
 */
export async function readNewest(
  { chosen, condition, most, timeoutMs }: NewestRows,
  read: (window: RowWindow) => Promise<number>,
): Promise<void> {
  const beganAtMs = performance.now();
  let left = most;
  for (const bounds of listWindows(chosen)) {
    const spentMs = performance.now() - beganAtMs;
    if (timeoutMs !== undefined && spentMs >= timeoutMs)
      throw new LogTimeoutError('A query of the request log took too long.');
    left -= await read({
      condition: all([condition, bounds]),
      most: left,
      timeoutMs: timeoutMs === undefined ? undefined : Math.ceil(timeoutMs - spentMs),
    });
    if (left <= 0) return;
  }
}

/** Divides the ids into windows; the first window includes ids from the future, and the last one all older ids. */
function* listWindows({ first, end, before }: NewestRows['chosen']): Generator<Condition> {
  const limits = [end, before].flatMap((id) => (id === undefined ? [] : msOf(toRowId(id))));
  const today = Math.floor(Math.min(Date.now(), ...limits) / dayMs);
  const oldest = first === undefined ? 0n : toRowId(first);
  let upper: bigint | undefined;
  for (const days of windowDays) {
    const lower = floorOf((today - days) * dayMs);
    if (lower <= oldest) break;
    yield within(lower, upper);
    upper = lower;
  }
  yield within(undefined, upper);
}

function within(lower: bigint | undefined, upper: bigint | undefined): Condition {
  return all([
    ...(lower === undefined ? [] : [{ sql: 'id >= {lower:UInt128}', params: { lower } }]),
    ...(upper === undefined ? [] : [{ sql: 'id < {upper:UInt128}', params: { upper } }]),
  ]);
}
