/**
 * Applies exponential decay: the count is halved after each half-life. A decaying count reflects recent events
 * without storing their times.
 */
export function decay(count: number, elapsedMs: number, halfLifeMs: number): number {
  return count === 0 ? 0 : count * 0.5 ** (Math.max(0, elapsedMs) / halfLifeMs);
}
