import { scoreLevels } from '../../lib/score-level.ts';
import type { LevelLine } from './chart-data.ts';

/** From where a deviation score is yellow, and red. */
export const scoreLevelLines: readonly LevelLine[] = [
  { value: scoreLevels.elevated, color: 'var(--warn)' },
  { value: scoreLevels.high, color: 'var(--bad)' },
];
