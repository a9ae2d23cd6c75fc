/**
 * Exponential decay: half of a count is left after each half-life. Such a count stands for the last moments, without
 * a list of when each thing happened.
 */
export function decay(count: number, elapsedMs: number, halfLifeMs: number): number {
  return count === 0 ? 0 : count * 0.5 ** (Math.max(0, elapsedMs) / halfLifeMs);
}
