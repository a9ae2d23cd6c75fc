import { describe, expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import { BodyBudget, BodyHold } from './body-budget.ts';

const mebibyte = 1024 * 1024;
const refusal = expect.objectContaining({ code: 'body_budget_exceeded', status: 503, retryAfterMs: 2_000 });
const refusalOf = (work: () => void) => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof GatewayError ? error : null;
  }
};

describe('BodyBudget', () => {
  it('BodyBudget lets one user take a quarter', () => {
    const budget = new BodyBudget(8 * mebibyte);
    budget.take(1, 2 * mebibyte);
    expect(refusalOf(() => budget.take(1, 1))).toEqual(refusal);
    budget.take(2, 1);
    expect(budget.held).toBe(2 * mebibyte + 1);
  });

  it('BodyBudget limits all users together, except those who take little', () => {
    const budget = new BodyBudget(8 * mebibyte);
    for (const person of [1, 2, 3, 4]) budget.take(person, 2 * mebibyte);
    expect(refusalOf(() => budget.take(5, mebibyte + 1))).toEqual(refusal);
    expect(refusalOf(() => budget.take(5, mebibyte))).toBeNull();
  });

  it('BodyBudget is empty again when everything is released', () => {
    const budget = new BodyBudget(4 * mebibyte);
    const holds = [1, 1, 2, 3].map((person) => new BodyHold(budget, person));
    for (const hold of holds) {
      hold.growTo(400_000);
      refusalOf(() => hold.growTo(1_200_000));
      hold.growTo(10);
    }
    expect(budget.held).toBeGreaterThanOrEqual(1_600_000);
    for (const hold of holds) hold.release();
    expect([budget.held, budget.heldBy(1), budget.heldBy(2)]).toEqual([0, 0, 0]);
  });
});
