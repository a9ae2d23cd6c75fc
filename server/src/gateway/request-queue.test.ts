import { setImmediate as turnEnds } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { RequestQueue } from './request-queue.ts';

let nowMs: number;
let cpuMs: number;
let queue: RequestQueue;
let ends: string[];
beforeEach(() => {
  nowMs = 1_000;
  cpuMs = 0;
  ends = [];
  queue = new RequestQueue(
    () => nowMs,
    () => cpuMs,
  );
});

/** Requests that come at once, each of which takes so long. */
function come(count: number, eachMs: number, cpuShare = 1): void {
  for (let place = 0; place < count; place++)
    queue.enter(
      () => {
        nowMs += eachMs;
        cpuMs += eachMs * cpuShare;
        ends.push('served');
      },
      () => ends.push('refused'),
    );
}

const countOf = (end: string) => ends.filter((one) => one === end).length;

/** As many come in each turn as keep the line this long. */
async function keepWaiting(count: number, turns: number, cpuShare = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    come(count - queue.waiting, 10, cpuShare);
    await turnEnds();
  }
}

async function untilEmpty(): Promise<void> {
  while (queue.waiting > 0) await turnEnds();
}

describe('the line of requests', () => {
  it('begins at once what comes while a turn has time, and the rest in later turns, in their order', async () => {
    come(10, 2);
    expect(ends).toHaveLength(3);
    expect(queue.waiting).toBe(7);
    await turnEnds();
    expect(ends).toHaveLength(6);
    await untilEmpty();
    expect(countOf('served')).toBe(10);
    come(1, 2);
    expect(countOf('served')).toBe(11);
  });

  it('begins one in each turn while connections wait', async () => {
    queue.noteConnectionsWaiting();
    come(3, 2);
    expect(ends).toHaveLength(1);
    await turnEnds();
    expect(ends).toHaveLength(2);
    nowMs += 100;
    come(2, 2);
    await turnEnds();
    expect(ends).toHaveLength(5);
  });

  it('refuses nobody in a rush that is over soon, nor in a long line of half a second', async () => {
    come(100, 10);
    await untilEmpty();
    await keepWaiting(40, 1_000);
    await untilEmpty();
    expect(countOf('refused')).toBe(0);
  });

  it('refuses nobody where others hold the processor', async () => {
    await keepWaiting(200, 400, 0.2);
    await untilEmpty();
    expect(countOf('refused')).toBe(0);
  });

  it('refuses who has waited once the line has been too long for a while, and serves who comes then', async () => {
    await keepWaiting(100, 400);
    expect(queue.shed).toBeGreaterThan(100);
    expect(countOf('refused')).toBe(queue.shed);
    const served = countOf('served');
    await keepWaiting(100, 400);
    expect(countOf('served')).toBeGreaterThan(served + 100);
    await untilEmpty();
  });

  it('is over when nobody has been refused for a second', async () => {
    await keepWaiting(100, 400);
    await untilEmpty();
    const { shed } = queue;
    nowMs += 1_100;
    come(40, 10);
    await untilEmpty();
    expect(queue.shed).toBe(shed);
  });
});
