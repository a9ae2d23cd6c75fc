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

function come(count: number, eachMs: number, cpuShare = 1): void {
  for (let place = 0; place < count; place++)
    queue.enter(() => {
      nowMs += eachMs;
      cpuMs += eachMs * cpuShare;
      served++;
    });
}

/** Callers send a new request as soon as they receive a response. */
async function keepAsking(callers: number, turns: number, eachMs: number, cpuShare = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    come(callers - queue.waiting, eachMs, cpuShare);
    await turnEnds();
  }
}

async function untilEmpty(): Promise<void> {
  while (queue.waiting > 0) await turnEnds();
}

describe('RequestQueue', () => {
  // Otherwise, queued requests would run in the next test and advance its clocks.
  afterEach(untilEmpty);

  it('RequestQueue starts requests immediately while a turn has time, and the rest in later turns', async () => {
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

  it('RequestQueue starts one request per turn while connections wait', async () => {
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

  it('RequestQueue accepts requests with less than half a second of work ahead, over 2,000 turns', async () => {
    await keepAsking(400, 2_000, 1);
    expect(queue.refused).toBe(0);
    expect(queue.waiting).toBeGreaterThan(300);
  });

  it('RequestQueue rejects requests with more work ahead, and stops rejecting once the queue is short again', async () => {
    await keepAsking(1_000, 400, 1);
    expect(queue.refused).toBeGreaterThan(100);
    expect(queue.waiting).toBeGreaterThan(400);
    expect(queue.waiting).toBeLessThan(600);
    await untilEmpty();
    const { refused } = queue;
    await keepAsking(400, 400, 1);
    expect(queue.refused).toBe(refused);
  });

  it('RequestQueue rejects nothing while other processes use the CPU', async () => {
    await keepAsking(1_000, 400, 1, 0.3);
    expect(queue.refused).toBe(0);
  });

  it('RequestQueue rejects nothing because of one long pause', async () => {
    await keepAsking(200, 400, 1);
    cpuMs += 1_000;
    await keepAsking(200, 1, 1);
    expect(queue.refused).toBe(0);
  });
});
