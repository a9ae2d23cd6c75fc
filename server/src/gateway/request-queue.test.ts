import { setImmediate as turnEnds } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestQueue } from './request-queue.ts';

let nowMs: number;
let cpuMs: number;
let queue: RequestQueue;
let served: number;
beforeEach(() => {
  nowMs = 1_000;
  cpuMs = 0;
  served = 0;
  queue = new RequestQueue(
    () => nowMs,
    () => cpuMs,
  );
});

/** Requests that come at once, each of which takes so long. */
function come(count: number, eachMs: number, cpuShare = 1): void {
  for (let place = 0; place < count; place++)
    queue.enter(() => {
      nowMs += eachMs;
      cpuMs += eachMs * cpuShare;
      served++;
    });
}

/** Callers who ask again as soon as they have their answer. */
async function keepAsking(callers: number, turns: number, eachMs: number, cpuShare = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    come(callers - queue.waiting, eachMs, cpuShare);
    await turnEnds();
  }
}

async function untilEmpty(): Promise<void> {
  while (queue.waiting > 0) await turnEnds();
}

describe('the line of requests', () => {
  // What waits goes on in the turns of the next test, and moves its clocks.
  afterEach(untilEmpty);

  it('begins at once what comes while a turn has time, and the rest in later turns', async () => {
    come(10, 2);
    expect(served).toBe(3);
    expect(queue.waiting).toBe(7);
    await turnEnds();
    expect(served).toBe(6);
    await untilEmpty();
    expect(served).toBe(10);
    come(1, 2);
    expect(served).toBe(11);
  });

  it('begins one in each turn while connections wait', async () => {
    queue.noteConnectionsWaiting();
    come(3, 2);
    expect(served).toBe(1);
    await turnEnds();
    expect(served).toBe(2);
    nowMs += 100;
    come(2, 2);
    await turnEnds();
    expect(served).toBe(5);
  });

  it('serves whoever waits behind less than half a second of work, for as long as it lasts', async () => {
    await keepAsking(400, 2_000, 1);
    expect(queue.refused).toBe(0);
    expect(queue.waiting).toBeGreaterThan(300);
  });

  it('refuses at once who would wait behind more, and nobody once the line is short again', async () => {
    await keepAsking(1_000, 400, 1);
    expect(queue.refused).toBeGreaterThan(100);
    expect(queue.waiting).toBeGreaterThan(400);
    expect(queue.waiting).toBeLessThan(600);
    await untilEmpty();
    const { refused } = queue;
    await keepAsking(400, 400, 1);
    expect(queue.refused).toBe(refused);
  });

  it('refuses nobody where others hold the processor', async () => {
    await keepAsking(1_000, 400, 1, 0.3);
    expect(queue.refused).toBe(0);
  });

  it('refuses nobody for one long pause', async () => {
    await keepAsking(200, 400, 1);
    cpuMs += 1_000;
    await keepAsking(200, 1, 1);
    expect(queue.refused).toBe(0);
  });
});
