/** Last second of the year 9999. Not all protocols can represent later dates. */
const latest = 253_402_300_799;

/** Reads a provider's Unix time in seconds; returns `null` for invalid values. */
export function readUnixSeconds(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= latest ? Math.floor(value) : null;
}
