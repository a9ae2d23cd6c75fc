import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import { LogTimeoutError } from '#domain/request-log/log-store-error.ts';
import { all, type Condition } from './conditions.ts';
import { floorOf, msOf, toRowId } from './row-id.ts';

const dayMs = 86_400_000;
/** Ends of the windows, in UTC days before the newest day. Each window is several times as long as the previous one. */
const windowDays = [1, 8, 64];

interface NewestRows {
  readonly chosen: ChosenRows & Pick<LogPage, 'before'>;
  readonly condition: Condition;
  readonly most: number;
  readonly timeoutMs: number | undefined;
}

interface RowWindow {
  readonly condition: Condition;
  readonly most: number;
  readonly timeoutMs: number | undefined;
}

/**
 * Reads the newest rows in windows of days until enough rows are found. A single query would read parts of all days
 * of the table, although it needs few of them. `read` returns the number of rows found.
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

/** The first window includes ids from the future, and the last window all older ids. */
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
