import { expect, it } from 'vitest';
import { scoreKind } from './score-level.ts';

it.each([
  [0, 'ok'],
  [0.5, 'ok'],
  [0.501, 'warn'],
  [0.7, 'warn'],
  [0.701, 'bad'],
  [1, 'bad'],
] as const)('scoreKind(%d) returns %s', (score, kind) => expect(scoreKind(score)).toBe(kind));
