import { isDeepStrictEqual } from 'node:util';
import type { DayRange, MovedRow, MoveSide, TenantSums } from '#db/log-moves/move-side.ts';
import type { MoveState } from '#db/log-moves/move-state.ts';

export interface DayMove {
  readonly source: MoveSide;
  readonly target: MoveSide;
  readonly state: MoveState;
  /**
   * Whether new rows are written to the target. If true, the source's rows are deleted after the move; otherwise the
   * target mirrors the source.
   */
  readonly isTargetInUse: boolean;
  /** Schedules checks of objects in object storage with texts of rows that are about to be deleted permanently. */
  readonly scheduleChecks: (objects: readonly string[]) => Promise<void>;
  readonly batchRows: number;
  /** Called after each batch. The next batch starts when the promise resolves. */
  readonly onBatch: (rowCount: number) => Promise<void>;
}

/**
 * Result of moving a day. Tenants in `differing` still differ after all attempts, and their rows remain in both
 * databases.
 */
export interface MovedDay {
  readonly differing: readonly number[];
}

const triesMax = 3;

/**
 * Copies and compares one day. Deletes the day from the source if the target is in use. Resumes an interrupted call.
 */
export async function moveDay(move: DayMove, range: DayRange): Promise<MovedDay> {
  const { isTargetInUse, state, target } = move;
  let { copiedTo, isVerified } = await state.begin(range.day);
  await target.prepareDay(range);
  for (let tries = 0; ; tries++) {
    // Only compare a day that was verified before, because it has usually not changed.
    if (!isVerified || tries > 0) await copyDay(move, range, copiedTo);
    await deleteUsers(move, range);
    const { differing, rowCount } = await compareDay(move, range);
    if (differing.length === 0) {
      await state.noteVerified(range.day);
      if (isTargetInUse) await deleteFromSource(move, range, rowCount);
      return { differing };
    }
    await state.restart(range.day);
    [copiedTo, isVerified] = [null, false];
    if (tries + 1 >= triesMax) return { differing };
    if (!isTargetInUse) await target.deleteTenants(range, differing);
  }
}

async function copyDay(move: DayMove, range: DayRange, copiedTo: string | null): Promise<void> {
  const { source, target, state, batchRows, onBatch } = move;
  for (let last = copiedTo; ; ) {
    const { rows, position } = await source.readBatch(range, last, batchRows);
    if (position === null) return;
    await target.insertMissing(rows);
    await state.noteCopied(range.day, position);
    last = position;
    await onBatch(rows.length);
  }
}

/** A batch may have read rows of users who were deleted afterwards. */
async function deleteUsers(move: DayMove, range: DayRange): Promise<void> {
  const { source, target, state, scheduleChecks } = move;
  const users = await state.selectDeletedUsers();
  if (users.length === 0) return;
  await scheduleChecks([
    ...(await source.listObjects(range, users)),
    ...(await target.listObjects(range, users)),
  ]);
  await source.deleteUsers(range, users);
  await target.deleteUsers(range, users);
}

async function compareDay(move: DayMove, range: DayRange) {
  const { source, target, isTargetInUse } = move;
  const [sourceSums, targetSums] = [await source.sumTenants(range), await target.sumTenants(range)];
  const tenants = isTargetInUse ? sourceSums.keys() : new Set([...sourceSums.keys(), ...targetSums.keys()]);
  let differing = [...tenants].filter(
    (tenant) => !isDeepStrictEqual(sourceSums.get(tenant), targetSums.get(tenant)),
  );
  // The target may have additional rows on days close to the change of the setting.
  if (isTargetInUse && differing.length > 0) differing = await compareRows(move, range);
  const rowCount = [...sourceSums.values()].reduce((sum, { rows }) => sum + Number(rows), 0);
  return { differing, rowCount };
}

async function compareRows({ source, target, batchRows }: DayMove, range: DayRange): Promise<number[]> {
  const differing = new Set<number>();
  for await (const rows of readAll(source, range, batchRows)) {
    const expected: ReadonlyMap<number, TenantSums> = await source.sumTenants(range, rows);
    const found = await target.sumTenants(range, rows);
    for (const [tenant, sums] of expected)
      if (!isDeepStrictEqual(sums, found.get(tenant))) differing.add(tenant);
  }
  return [...differing];
}

/**
 * Deletes the compared rows from the source. Other rows are kept, because a node that has not been restarted yet may
 * still add rows.
 */
async function deleteFromSource(move: DayMove, range: DayRange, rowCount: number): Promise<void> {
  const { source, state, batchRows } = move;
  if (!(await source.dropDay(range, rowCount))) {
    let left = rowCount;
    for await (const rows of readAll(source, range, batchRows)) {
      await source.deleteRows(await keepCompared(move, range, rows));
      left -= rows.length;
      if (left <= 0) break;
    }
  }
  await state.forget(range.day);
}

/** Returns the rows of tenants whose sums over these rows are equal in both databases. */
async function keepCompared({ source, target }: DayMove, range: DayRange, rows: readonly MovedRow[]) {
  const [expected, found] = [await source.sumTenants(range, rows), await target.sumTenants(range, rows)];
  return rows.filter(({ tenant_id: tenant }) => isDeepStrictEqual(expected.get(tenant), found.get(tenant)));
}

async function* readAll(side: MoveSide, range: DayRange, rowsMax: number) {
  for (let position: string | null = null; ; ) {
    const batch = await side.readBatch(range, position, rowsMax);
    if (batch.position === null) return;
    yield batch.rows;
    position = batch.position;
  }
}
