/** Scores above the first value are yellow, above the second red. */
export const scoreLevels = { elevated: 0.5, high: 0.7 };

/** Returns the level of a deviation score: red above 0.7, yellow above 0.5, else green. */
export function scoreKind(score: number): 'ok' | 'warn' | 'bad' {
  if (score > scoreLevels.high) return 'bad';
  return score > scoreLevels.elevated ? 'warn' : 'ok';
}
