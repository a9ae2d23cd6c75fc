import { describe, expect, it, vi } from 'vitest';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

/** The queue has one occupied slot until `open`, so that all calls wait. */
function openedLater(waitingMax: readonly number[]) {
  const run = createFairQueue({ slots: 1, waitingMax });
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const first = run(['first'], () => promise);
  const ran: string[] = [];
  const ask = (...path: string[]) => run(path, async () => void ran.push(path.join('/')));
  return { run, ask, ran, open, first };
}

describe('createFairQueue', () => {
  it('createFairQueue never runs more work than it has slots, and runs all of it', async () => {
    const run = createFairQueue({ slots: 2, waitingMax: [100] });
    let running = 0;
    let peak = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        run([], async () => {
          peak = Math.max(peak, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          return place;
        }),
      ),
    );
    expect(peak).toBe(2);
    expect(results).toEqual(Array.from({ length: 20 }, (_, place) => place));
  });

  it('createFairQueue frees the slot if the work fails', async () => {
    const run = createFairQueue({ slots: 1, waitingMax: [0] });
    await expect(run([], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await run([], async () => 'next')).toBe('next');
  });

  it('createFairQueue rotates between groups, and within a group between its members, regardless of their load', async () => {
    const { ask, ran, open } = openedLater([]);
    const all = [...Array(4).fill(['loud', 'one']), ['loud', 'two'], ['calm', 'one'], ['calm', 'one']];
    const asked = all.map((path) => ask(...path));
    open();
    await Promise.all(asked);
    expect(ran).toEqual(['loud/one', 'calm/one', 'loud/two', 'calm/one', 'loud/one', 'loud/one', 'loud/one']);
  });

  it('createFairQueue lets a newcomer wait for one piece of work per group, not for the whole queue', async () => {
    const { ask, ran, open } = openedLater([]);
    const asked = Array.from({ length: 400 }, () => ask('loud', 'one'));
    asked.push(ask('calm', 'one'));
    open();
    await Promise.all(asked);
    expect(ran.indexOf('calm/one')).toBe(1);
  });

  it.each([
    ['in all', [2, 9, 9], ['b', 'x'], 0],
    ['in its group', [9, 2, 9], ['a', 'y'], 1],
    ['of its own', [9, 9, 2], ['a', 'x'], 2],
  ])(
    'createFairQueue rejects work immediately beyond the waiting limit %s, with the depth in the error',
    async (_where, waitingMax, path, depth) => {
      const { run, ask, open } = openedLater(waitingMax);
      const waiting = [ask('a', 'x'), ask('a', 'x')];
      const refusal = await ask(...path).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(QueueFullError);
      expect(refusal).toMatchObject({ depth });
      open();
      await Promise.all(waiting);
      expect(await run(path, async () => 'room again')).toBe('room again');
    },
  );

  it('createFairQueue lets other groups wait while one is at its limit', async () => {
    const { ask, ran, open } = openedLater([9, 2, 1]);
    const waiting = [ask('a', 'x'), ask('a', 'y'), ask('b', 'x')];
    await expect(ask('a', 'z')).rejects.toThrow(QueueFullError);
    await expect(ask('b', 'x')).rejects.toThrow(QueueFullError);
    open();
    await Promise.all(waiting);
    expect(ran).toEqual(['a/x', 'b/x', 'a/y']);
  });
});

describe('createFairQueue with runningMax', () => {
  const gates = () => Array.from({ length: 10 }, () => Promise.withResolvers<void>());

  it('createFairQueue starts work of another group while one group is at its running limit', async () => {
    const run = createFairQueue({ slots: 3, waitingMax: [], runningMax: [3, 2] });
    const open = gates();
    const started: number[] = [];
    const loud = open.map(({ promise }, place) =>
      run(['loud', 'x'], () => {
        started.push(place);
        return promise;
      }),
    );
    expect(await run(['calm', 'y'], async () => 'done')).toBe('done');
    expect(started).toEqual([0, 1]);
    for (const { resolve } of open) resolve();
    await Promise.all(loud);
    expect(started).toHaveLength(10);
  });

  it('createFairQueue never runs more of a group than its limit, and runs all of it', async () => {
    const run = createFairQueue({ slots: 5, waitingMax: [], runningMax: [5, 3, 2] });
    const running = new Map<string, number>();
    const peaks = new Map<string, number>();
    const count = (name: string, by: number) => {
      running.set(name, (running.get(name) ?? 0) + by);
      peaks.set(name, Math.max(peaks.get(name) ?? 0, running.get(name) ?? 0));
    };
    const work = Array.from({ length: 300 }, (_, place) => {
      const [group, member] = [`g${place % 3}`, `m${place % 5}`];
      return run([group, member], async () => {
        for (const name of ['all', group, `${group}/${member}`]) count(name, 1);
        await new Promise((resolve) => setImmediate(resolve));
        for (const name of ['all', group, `${group}/${member}`]) count(name, -1);
      });
    });
    await Promise.all(work);
    expect(peaks.get('all')).toBe(5);
    for (const [name, peak] of peaks)
      if (name !== 'all') expect(peak, name).toBeLessThanOrEqual(name.includes('/') ? 2 : 3);
    for (const left of running.values()) expect(left).toBe(0);
  });

  it('createFairQueue rejects work that has waited too long, and frees its slot in the queue for later work', async () => {
    vi.useFakeTimers();
    const run = createFairQueue({ slots: 1, waitingMax: [2], waitMaxMs: 5_000 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = run(['a'], () => promise);
    const late = Promise.allSettled([run(['b'], async () => 1), run(['c'], async () => 2)]);
    await expect(run(['d'], async () => 3)).rejects.toThrow(QueueFullError);
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await late).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = run(['d'], async () => 'next');
    resolve();
    expect(await next).toBe('next');
    await first;
    vi.useRealTimers();
  });
});
