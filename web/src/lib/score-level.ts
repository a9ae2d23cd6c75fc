/** Above it a score is yellow, above the second red. */
export const scoreLevels = { elevated: 0.5, high: 0.7 };

/** How a deviation score is marked: red above 0.7, yellow above 0.5, else green. */
export function scoreKind(score: number): 'ok' | 'warn' | 'bad' {
  if (score > scoreLevels.high) return 'bad';
  return score > scoreLevels.elevated ? 'warn' : 'ok';
}
