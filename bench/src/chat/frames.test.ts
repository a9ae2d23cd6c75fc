import { expect, it } from 'vitest';
import { summariseFrames } from './benchmark.ts';

it('summariseFrames counts frames by the time between them', () => {
  const times = [0, 20, 40, 60, 160];
  expect(summariseFrames(times)).toEqual({ framesPerSecond: 25, p95Ms: 100, longestMs: 100 });
  expect(summariseFrames([])).toEqual({ framesPerSecond: 0, p95Ms: 0, longestMs: 0 });
});
