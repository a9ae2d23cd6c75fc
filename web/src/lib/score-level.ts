type ScoreLevel = 'ok' | 'warn' | 'bad';

/** Score thresholds. Higher scores are yellow (`elevated`) or red (`high`). */
export const scoreLevels = { elevated: 0.5, high: 0.7 };

/** Score thresholds of the portal's score card. Scores from these values on are yellow or red. */
const cardLevels = { elevated: 0.5, high: 0.75 };

/** Returns the level of a deviation score: red above 0.7, yellow above 0.5, otherwise green. */
export function scoreKind(score: number): ScoreLevel {
  if (score > scoreLevels.high) return 'bad';
  return score > scoreLevels.elevated ? 'warn' : 'ok';
}

/**
 * Returns the level of a score on the portal's score card. The specification sets different thresholds for the card.
 */
export function cardScoreKind(score: number): ScoreLevel {
  if (score >= cardLevels.high) return 'bad';
  return score >= cardLevels.elevated ? 'warn' : 'ok';
}
