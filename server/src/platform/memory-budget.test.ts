import { expect, it } from 'vitest';
import { MemoryBudget, MemoryHold } from './memory-budget.ts';

const mebibyte = 1024 * 1024;

it('MemoryBudget limits one owner to its share', () => {
  const budget = new MemoryBudget(8 * mebibyte, 4);
  expect(budget.take(1, 2 * mebibyte)).toBeNull();
  expect(budget.take(1, 1)).toBe('share');
  expect(budget.take(2, 1)).toBeNull();
  expect(budget.held).toBe(2 * mebibyte + 1);
});

it('MemoryBudget limits all owners together, except those with few bytes', () => {
  const budget = new MemoryBudget(8 * mebibyte, 4);
  for (const owner of [1, 2, 3, 4]) budget.take(owner, 2 * mebibyte);
  expect(budget.take(5, mebibyte + 1)).toBe('total');
  expect(budget.take(5, mebibyte)).toBeNull();
});

it('MemoryBudget is empty again when everything is released', () => {
  const budget = new MemoryBudget(4 * mebibyte, 4);
  const holds = [1, 1, 2, 3].map((owner) => new MemoryHold(budget, owner));
  for (const hold of holds) {
    hold.resize(400_000);
    expect(hold.resize(1_200_000)).toBe('share');
    expect(hold.bytes).toBe(400_000);
    hold.resize(300_000);
    hold.resize(400_000);
  }
  expect(budget.held).toBe(1_600_000);
  for (const hold of holds) hold.release();
  expect([budget.held, budget.heldBy(1), budget.heldBy(2)]).toEqual([0, 0, 0]);
});
