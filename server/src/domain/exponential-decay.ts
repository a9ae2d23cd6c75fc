/**
 * Applies exponential decay: a count is halved after each half-life. Such a count reflects recent events without a
 * list of their times.
 */
export function decay(count: number, elapsedMs: number, halfLifeMs: number): number {
  return count === 0 ? 0 : count * 0.5 ** (Math.max(0, elapsedMs) / halfLifeMs);
}
