import { expect, it } from 'vitest';
import { cardScoreKind, scoreKind } from './score-level.ts';

it.each([
  [0, 'ok'],
  [0.5, 'ok'],
  [0.501, 'warn'],
  [0.7, 'warn'],
  [0.701, 'bad'],
  [1, 'bad'],
] as const)('scoreKind(%d) returns %s', (score, kind) => expect(scoreKind(score)).toBe(kind));

it.each([
  [0.499, 'ok'],
  [0.5, 'warn'],
  [0.749, 'warn'],
  [0.75, 'bad'],
] as const)('cardScoreKind(%d) returns %s', (score, kind) => expect(cardScoreKind(score)).toBe(kind));
