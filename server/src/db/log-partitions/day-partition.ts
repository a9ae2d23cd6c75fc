const dayMs = 86_400_000;
/** The first millisecond that does not fit into a UUIDv7. */
const endOfTimeMs = 2 ** 48;

/** The partition of one UTC day: ids from `from` up to, but excluding, `to`. */
export interface DayPartition {
  /** Days since 1970. */
  readonly day: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Returns the day of a UUIDv7 (RFC 9562, section 5.7). */
export function dayOfId(id: string): number {
  return dayOf(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

export function dayPartition(parent: string, day: number): DayPartition {
  const start = new Date(day * dayMs);
  const name = [start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  return { day, table: `${parent}_${name}`, from: floorId(day * dayMs), to: floorId((day + 1) * dayMs) };
}

/** Returns the smallest id of a millisecond, as `uuid_floor` of the database does. */
function floorId(ms: number): string {
  if (ms >= endOfTimeMs) return 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
