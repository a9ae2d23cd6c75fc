import { setImmediate as turnEnds } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LoadShedder } from './load-shedding.ts';

let nowMs: number;
let cpuMs: number;
let shedder: LoadShedder;
let changes: boolean[];
beforeEach(() => {
  nowMs = 1_000;
  cpuMs = 0;
  changes = [];
  shedder = new LoadShedder({
    nowMs: () => nowMs,
    cpuMs: () => cpuMs,
    onChange: (isShedding) => changes.push(isShedding),
  });
});

/** A turn that reads requests, each of which takes so long; resolves with which of them were refused. */
async function turn(requests: number, eachMs: number, cpuShare = 1): Promise<boolean[]> {
  const refused = Array.from({ length: requests }, () => {
    const isRefused = shedder.refuses();
    nowMs += isRefused ? 0 : eachMs;
    cpuMs += isRefused ? 0 : eachMs * cpuShare;
    return isRefused;
  });
  await turnEnds();
  return refused;
}

const refusedOf = async (turning: Promise<boolean[]>) => (await turning).filter(Boolean).length;

async function overload(): Promise<void> {
  for (let turns = 0; turns < 8; turns++) await turn(10, 10);
}

describe('load shedding', () => {
  it('refuses nobody for one long turn, nor for several with rest between them', async () => {
    expect(await refusedOf(turn(100, 10))).toBe(0);
    for (let turns = 0; turns < 10; turns++) {
      nowMs += 200;
      expect(await refusedOf(turn(20, 10))).toBe(0);
    }
  });

  it('refuses nobody whose wait is short, however many there are', async () => {
    for (let turns = 0; turns < 100; turns++) expect(await refusedOf(turn(300, 0.1))).toBe(0);
  });

  it('refuses nobody where others hold the processor', async () => {
    for (let turns = 0; turns < 20; turns++) expect(await refusedOf(turn(10, 10, 0.1))).toBe(0);
  });

  it('takes requests for 25 ms of each turn when turns stay late, and refuses the rest of it', async () => {
    await overload();
    const before = shedder.shed;
    const refused = await turn(20, 10);
    expect(refused.indexOf(true)).toBe(3);
    expect(refused.lastIndexOf(false)).toBe(2);
    expect(shedder.shed - before).toBe(17);
  });

  it('goes on for as long as it has to refuse, though turns are prompt by it', async () => {
    await overload();
    for (let turns = 0; turns < 100; turns++) expect(await refusedOf(turn(20, 10))).toBe(17);
  });

  it('refuses nobody in a prompt turn, and goes on with the next late one within a second', async () => {
    await overload();
    expect(await refusedOf(turn(2, 10))).toBe(0);
    expect(await refusedOf(turn(20, 10))).toBeGreaterThan(0);
  });

  it('is over when turns have been prompt for a second', async () => {
    await overload();
    for (let turns = 0; turns < 60; turns++) await turn(1, 20);
    expect(await refusedOf(turn(20, 10))).toBe(0);
  });

  it('is over when nobody has come for a second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await overload();
    nowMs += 1_100;
    vi.advanceTimersByTime(1_100);
    expect(await refusedOf(turn(20, 10))).toBe(0);
  });

  it('says when it begins and when it is over, once each', async () => {
    await overload();
    await overload();
    expect(changes).toEqual([true]);
    for (let turns = 0; turns < 60; turns++) await turn(1, 20);
    expect(changes).toEqual([true, false]);
  });
});
