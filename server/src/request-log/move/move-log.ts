import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { scheduleChecks } from '#body-store/object-rows.ts';
import type { DayRange, MoveSide } from '#db/log-moves/move-side.ts';
import { type MoveState, type MoveTarget, openMoveState } from '#db/log-moves/move-state.ts';
import { openPostgresSide } from '#db/log-moves/postgres-side.ts';
import { dayOf, dayPartition } from '#db/log-partitions/day-partition.ts';
import type { ClickhouseConnection } from '../clickhouse/connection.ts';
import { openClickhouseSide } from './clickhouse-side.ts';
import { moveDay } from './move-day.ts';

export interface Move {
  readonly to: MoveTarget;
  readonly source: MoveSide;
  readonly target: MoveSide;
  readonly state: MoveState;
  readonly isTargetInUse: boolean;
  readonly scheduleChecks: (objects: readonly string[]) => Promise<void>;
}

/** `isClickhouseInUse` is true if new rows are written to ClickHouse. */
export function openMove(
  pool: pg.Pool,
  clickhouse: ClickhouseConnection,
  { to, isClickhouseInUse }: { readonly to: MoveTarget; readonly isClickhouseInUse: boolean },
): Move {
  const [inPostgres, inClickhouse] = [openPostgresSide(pool), openClickhouseSide(clickhouse)];
  return {
    to,
    ...(to === 'clickhouse'
      ? { source: inPostgres, target: inClickhouse }
      : { source: inClickhouse, target: inPostgres }),
    state: openMoveState(pool, to),
    isTargetInUse: isClickhouseInUse === (to === 'clickhouse'),
    scheduleChecks: (objects) => scheduleChecks(drizzle({ client: pool }), objects),
  };
}

export interface DayLeft {
  /** Days since 1970-01-01 UTC. */
  readonly day: number;
  readonly rows: number;
}

/** Returns newest days first. Omits days that have not ended while new rows are written to the source. */
export async function listDays({ source, isTargetInUse }: Move, nowMs: number): Promise<DayLeft[]> {
  const days = await source.countDays();
  return [...days]
    .map(([day, rows]) => ({ day, rows }))
    .filter(({ day }) => isTargetInUse || day < dayOf(nowMs))
    .toSorted((one, next) => next.day - one.day);
}

export interface MoveOptions {
  readonly nowMs: number;
  readonly rowsPerSecond: number;
  readonly batchRows: number;
  /** Called with the number of rows after each batch, and with the differing tenants after each day. */
  readonly onProgress: (progress: {
    readonly day: number;
    readonly rows?: number;
    readonly differing?: readonly number[];
  }) => void;
}

/** Returns the days that differ. */
export async function moveLog(move: Move, options: MoveOptions): Promise<number[]> {
  const { nowMs, batchRows, onProgress } = options;
  const { isTargetInUse, state, target } = move;
  await target.settle();
  // Must be recorded before rows are deleted from PostgreSQL; otherwise the bodies of missing rows would be removed.
  if (isTargetInUse) await state.noteClickhouse();
  const differing: number[] = [];
  for (const { day } of await listDays(move, nowMs)) {
    const waitForTurn = createPace(options.rowsPerSecond);
    const onBatch = async (rows: number) => {
      onProgress({ day, rows });
      await waitForTurn(rows);
    };
    const moved = await moveDay({ ...move, batchRows, onBatch }, rangeOf(day));
    if (moved.differing.length > 0) differing.push(day);
    onProgress({ day, differing: moved.differing });
  }
  return differing;
}

/** Returns `false` while the source has rows or may still receive new rows. */
export async function endMove({ to, source, state }: Move): Promise<boolean> {
  const isEmpty = async () => (await source.countDays()).size === 0;
  return to === 'postgres' ? state.forgetClickhouse(isEmpty) : isEmpty();
}

function rangeOf(day: number): DayRange {
  const { from, to } = dayPartition('request_logs', day);
  return { day, first: from, end: to };
}

/** The returned function waits after each batch to limit the number of rows per second. */
function createPace(rowsPerSecond: number): (rows: number) => Promise<void> {
  let freeAtMs = performance.now();
  return async (rows) => {
    freeAtMs = Math.max(freeAtMs, performance.now() - 1_000) + (rows / rowsPerSecond) * 1_000;
    const waitMs = freeAtMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
  };
}
