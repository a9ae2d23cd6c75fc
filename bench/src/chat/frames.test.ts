import { expect, it } from 'vitest';
import { summarizeFrames } from './benchmark.ts';

it('summarizeFrames counts frames by the time between them', () => {
  const times = [0, 20, 40, 60, 160];
  expect(summarizeFrames(times)).toEqual({ framesPerSecond: 25, p95Ms: 100, longestMs: 100 });
  expect(summarizeFrames([])).toEqual({ framesPerSecond: 0, p95Ms: 0, longestMs: 0 });
});
