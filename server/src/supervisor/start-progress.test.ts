import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStartProgress } from './supervise.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('createStartProgress logs each step immediately and every 10 seconds until it is complete', () => {
  const lines: object[] = [];
  const progress = createStartProgress({ info: (fields: object) => void lines.push(fields) });
  progress.begin('prepare the database');
  vi.advanceTimersByTime(25_000);
  progress.begin('start 2 workers');
  progress.end();
  vi.advanceTimersByTime(60_000);
  const step = 'prepare the database';
  expect(lines).toEqual([
    { step, elapsedSeconds: 0 },
    { step, elapsedSeconds: 10 },
    { step, elapsedSeconds: 20 },
    { step: 'start 2 workers', elapsedSeconds: 25 },
  ]);
});
