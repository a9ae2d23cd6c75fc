import { ApiError } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { runBulk } from './selection-bar.tsx';

const rows = Array.from({ length: 10 }, (_, index) => index);

describe('runBulk', () => {
  it('runBulk continues after a failure and returns the failed rows with their reasons', async () => {
    const { done, failures } = await runBulk(rows, async (row) => {
      if (row % 3 === 0) throw new ApiError(409, 'Someone else changed this user', [], null);
    });
    expect(done.toSorted()).toEqual([1, 2, 4, 5, 7, 8]);
    expect(failures.map(({ row }) => row).toSorted()).toEqual([0, 3, 6, 9]);
    expect(failures[0]?.message).toBe('Someone else changed this user');
  });

  it('runBulk processes each row once and respects the concurrency limit', async () => {
    const seen: number[] = [];
    let running = 0;
    let mostRunning = 0;
    await runBulk(
      rows,
      async (row) => {
        seen.push(row);
        mostRunning = Math.max(mostRunning, ++running);
        await Promise.resolve();
        running--;
      },
      { concurrency: 3 },
    );
    expect(seen).toEqual(rows);
    expect(mostRunning).toBe(3);
  });

  it('runBulk reports progress up to the last row', async () => {
    const progress: number[] = [];
    await runBulk(rows, () => Promise.resolve(), { onProgress: (count) => progress.push(count) });
    expect(progress).toEqual(rows.map((row) => row + 1));
  });

  it('runBulk starts no further row after it is stopped', async () => {
    const stop = new AbortController();
    const { done } = await runBulk(
      rows,
      async (row) => {
        if (row === 2) stop.abort();
      },
      { concurrency: 1, signal: stop.signal },
    );
    expect(done).toEqual([0, 1, 2]);
  });
});
