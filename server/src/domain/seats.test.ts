import { expect, it } from 'vitest';
import { isSeatFree, type Seats } from './seats.ts';

const seats: Seats = {
  taken: { super_admin: 1, admin: 3, user: 19 },
  limits: { super_admin: null, admin: 3, user: 20 },
};

it('isSeatFree is true below the limit or without a limit, and false at the limit', () => {
  expect(isSeatFree(seats, 'user')).toBe(true);
  expect(isSeatFree(seats, 'admin')).toBe(false);
  expect(isSeatFree(seats, 'super_admin')).toBe(true);
});

it('isSeatFree is false above a limit that was lowered, and at a limit of 0', () => {
  expect(isSeatFree({ ...seats, limits: { ...seats.limits, user: 5 } }, 'user')).toBe(false);
  expect(
    isSeatFree({ taken: { ...seats.taken, admin: 0 }, limits: { ...seats.limits, admin: 0 } }, 'admin'),
  ).toBe(false);
});
