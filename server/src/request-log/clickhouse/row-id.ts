/**
 * Converts a UUIDv7 to its ClickHouse form, UInt128. ClickHouse sorts the type UUID by the second half, which is
 * random in a UUIDv7.
 */
export function toRowId(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '')}`);
}

export function toUuid(rowId: string | bigint): string {
  const digits = BigInt(rowId).toString(16).padStart(32, '0');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
}

const timeShift = 80n;

/** Returns the smallest row id for a time, like PostgreSQL's `uuid_floor`. */
export function floorOf(ms: number): bigint {
  return BigInt(Math.max(0, ms)) << timeShift;
}

export function msOf(rowId: bigint): number {
  return Number(rowId >> timeShift);
}

/**
 * Parses the hexadecimal digits at the end of a UUID into their number and value. Returns `null` if no UUID can end
 * with this text.
 */
export function parseIdEnd(end: string): { readonly digits: number; readonly value: bigint } | null {
  const template = '00000000-0000-0000-0000-000000000000';
  const places = template.slice(-end.length);
  const fits = [...end].every((letter, index) => (letter === '-') === (places[index] === '-'));
  const digits = end.replaceAll('-', '');
  return fits && /^[0-9a-f]+$/i.test(digits) ? { digits: digits.length, value: BigInt(`0x${digits}`) } : null;
}
