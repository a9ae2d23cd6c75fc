import { setImmediate as nextPass } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PacedWork, Turns } from './paced-work.ts';

describe('Turns', () => {
  it('Turns are granted one at a time, rotating between callers', async () => {
    const turns = new Turns();
    const given: string[] = [];
    const take = async (who: string) => {
      await turns.take(who);
      given.push(who);
    };
    const all = Promise.all([...Array(3).fill('greedy'), 'a', 'b', 'a'].map(take));
    await all;
    expect(given).toEqual(['greedy', 'a', 'b', 'greedy', 'a', 'greedy']);
  });

  it('Turns let the event loop run in between', async () => {
    const turns = new Turns();
    let given = 0;
    for (let count = 0; count < 100; count++) void turns.take('greedy').then(() => given++);
    await nextPass();
    await nextPass();
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThan(5);
  });
});

describe('PacedWork', () => {
  function* steps(micros: number[], done: number[]): Generator<number, string, void> {
    for (const cost of micros) {
      yield cost;
      done.push(cost);
    }
    return 'result';
  }
  const countTurns = (turns: Turns) => {
    let taken = 0;
    const take = turns.take.bind(turns);
    turns.take = (who) => {
      taken++;
      return take(who);
    };
    return () => taken;
  };

  it('PacedWork runs synchronously while it is light', async () => {
    const turns = new Turns();
    const taken = countTurns(turns);
    const work = new PacedWork(turns, 'a');
    const done: number[] = [];
    const result = work.run(steps([500, 500, 500], done));
    expect(done).toEqual([500, 500, 500]);
    expect(await result).toBe('result');
    await work.pause();
    expect(taken()).toBe(0);
  });

  it('PacedWork takes a turn before each step that would make one too long', async () => {
    const turns = new Turns();
    const taken = countTurns(turns);
    const work = new PacedWork(turns, 'a');
    const done: number[] = [];
    const result = work.run(steps([500, 30_000, 500, 1_000, 900, 900], done));
    expect(done).toEqual([500]);
    expect(await result).toBe('result');
    expect(taken()).toBe(3);
    await work.pause();
    expect(taken()).toBe(4);
  });
});
