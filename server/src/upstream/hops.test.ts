import { expect, it } from 'vitest';
import { createHops } from './hops.ts';

const own = '0123456789abcdef';
const other = 'fedcba9876543210';
const hops = createHops(own);

it('isLoop detects a request that has already passed through this installation, directly or via others', () => {
  expect([own, `${other},${own}`, `${own},${other}`].map((given) => hops.isLoop(given))).toEqual([
    true,
    true,
    true,
  ]);
  expect([undefined, '', other, `${other},${other}`].map((given) => hops.isLoop(given))).toEqual(
    Array(4).fill(false),
  );
});

it("extend appends this installation's id to the previous ones", () => {
  expect(hops.extend(undefined)).toBe(own);
  expect(hops.extend(other)).toBe(`${other},${own}`);
});

it('isLoop and extend ignore a header that is not a list of ids', () => {
  for (const given of ['x', `${other},`, `${other} ${own}`, `${own}\r\nx: y`, [own], own.toUpperCase()]) {
    expect(hops.isLoop(given)).toBe(false);
    expect(hops.extend(given)).toBe(own);
  }
});

it('isLoop is true for a chain of 16 ids', () => {
  expect(hops.isLoop(Array(16).fill(other).join(','))).toBe(true);
});
