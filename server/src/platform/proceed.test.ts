import { describe, expect, it } from 'vitest';
import { mapInTurn, proceed } from './proceed.ts';

describe('proceed', () => {
  it('proceed returns the result of a known value synchronously', () => {
    expect(proceed(1, (value) => value + 1)).toBe(2);
  });

  it('proceed returns a promise if the value is one', async () => {
    expect(await proceed(Promise.resolve(1), (value) => value + 1)).toBe(2);
    await expect(proceed(Promise.reject(new Error('lost')), () => 1)).rejects.toThrow('lost');
  });
});

describe('mapInTurn', () => {
  it('mapInTurn returns a list if nothing has to wait', () => {
    expect(mapInTurn([1, 2, 3], (item) => item * 2)).toEqual([2, 4, 6]);
    expect(mapInTurn([1, 2], (item) => [item])).toEqual([[1], [2]]);
  });

  it('mapInTurn starts an item only after the previous one is mapped', async () => {
    const begun: number[] = [];
    const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<string>());
    const mapped = mapInTurn([0, 1, 2, 3], (item) => {
      begun.push(item);
      return item % 2 === 0 ? `${item}` : (gates[item]?.promise ?? '');
    });
    expect(begun).toEqual([0, 1]);
    gates[1]?.resolve('one');
    await gates[1]?.promise;
    await null;
    expect(begun).toEqual([0, 1, 2, 3]);
    gates[3]?.resolve('three');
    expect(await mapped).toEqual(['0', 'one', '2', 'three']);
  });
});
