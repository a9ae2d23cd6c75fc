/** The last second of the year 9999: beyond it a date has no form that all protocols can write. */
const latest = 253_402_300_799;

/** Seconds since 1970 as a provider tells them; `null` for what is no such time. */
export function readUnixSeconds(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= latest ? Math.floor(value) : null;
}
