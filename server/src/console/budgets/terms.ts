import {
  type BudgetMeasure,
  findLimitProblem,
  routeToMissing,
  toNanoUsd,
  toUsd,
  type updateBudgetBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { budgets } from '#db/schema/budgets.ts';
import { invalidField } from '#errors/console-error.ts';

/** Converts an amount in JSON to nano-dollars, tokens or requests. */
export function toAmount(measure: BudgetMeasure, amount: number): number {
  return measure === 'usd' ? Number(toNanoUsd(amount)) : amount;
}

/** Converts nano-dollars, tokens or requests to an amount in JSON. */
export function showAmount(measure: BudgetMeasure, amount: number): number {
  return measure === 'usd' ? toUsd(BigInt(amount)) : amount;
}

export const sortThresholds = (thresholds: readonly number[]) =>
  [...new Set(thresholds)].toSorted((one, other) => one - other);

type Terms = Pick<
  typeof budgets.$inferSelect,
  'measure' | 'limitAmount' | 'thresholds' | 'action' | 'routeTo'
>;

/** Returns the columns of a budget, or of a default, after a change of the given fields. */
export function changeTerms(current: Terms, body: z.output<typeof updateBudgetBody>) {
  const { measure } = current;
  const problem = body.limit === undefined ? null : findLimitProblem(measure, body.limit);
  if (problem) throw invalidField('limit', problem);
  const action = body.action ?? current.action;
  const routeTo = body.route_to === undefined ? current.routeTo : body.route_to;
  if (action === 'route' && routeTo === null) throw invalidField('route_to', routeToMissing);
  return {
    limitAmount: body.limit === undefined ? current.limitAmount : toAmount(measure, body.limit),
    thresholds: body.thresholds === undefined ? current.thresholds : sortThresholds(body.thresholds),
    action,
    routeTo: action === 'route' ? routeTo : null,
  };
}
