import { expect, it } from 'vitest';
import { createHops } from './hops.ts';

const own = '0123456789abcdef';
const other = 'fedcba9876543210';
const hops = createHops(own);

it('knows a request that has passed here, also by way of others', () => {
  expect([own, `${other},${own}`, `${own},${other}`].map((given) => hops.isLoop(given))).toEqual([
    true,
    true,
    true,
  ]);
  expect([undefined, '', other, `${other},${other}`].map((given) => hops.isLoop(given))).toEqual(
    Array(4).fill(false),
  );
});

it('adds this installation to those before it', () => {
  expect(hops.extend(undefined)).toBe(own);
  expect(hops.extend(other)).toBe(`${other},${own}`);
});

it('heeds and sends on nothing that is no list of ids', () => {
  for (const given of ['x', `${other},`, `${other} ${own}`, `${own}\r\nx: y`, [own], own.toUpperCase()]) {
    expect(hops.isLoop(given)).toBe(false);
    expect(hops.extend(given)).toBe(own);
  }
});

it('ends a chain that is too long to be none', () => {
  expect(hops.isLoop(Array(16).fill(other).join(','))).toBe(true);
});
