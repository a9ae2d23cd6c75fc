/** First millisecond that does not fit into a UUIDv7. */
const endOfTimeMs = 2 ** 48;

/** Returns the time of a UUIDv7 in milliseconds since 1970-01-01 (RFC 9562, section 5.7). */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8), 16) * 0x10000 + Number.parseInt(id.slice(9, 13), 16);

/** Returns the smallest id for a time in milliseconds, like the database function `uuid_floor`. */
export function floorId(ms: number): string {
  if (ms >= endOfTimeMs) return 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
