type ScoreLevel = 'ok' | 'warn' | 'bad';

/** Scores above the first value are yellow; scores above the second are red. */
export const scoreLevels = { elevated: 0.5, high: 0.7 };

/** Scores from these values on are yellow or red on the score card of the portal. */
const cardLevels = { elevated: 0.5, high: 0.75 };

/** Returns the level of a deviation score: red above 0.7, yellow above 0.5, else green. */
export function scoreKind(score: number): ScoreLevel {
  if (score > scoreLevels.high) return 'bad';
  return score > scoreLevels.elevated ? 'warn' : 'ok';
}

/** Returns the level for the portal's score card, for which the specification sets different thresholds. */
export function cardScoreKind(score: number): ScoreLevel {
  if (score >= cardLevels.high) return 'bad';
  return score >= cardLevels.elevated ? 'warn' : 'ok';
}
