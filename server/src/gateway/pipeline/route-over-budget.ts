import { checkModel } from '#domain/access/check-model.ts';
import { type Admitted, addResult, type Bound, type Classified, type Planned } from '../exchange.ts';
import { findReachedBudget } from '../metering/budget-error.ts';
import type { PlanDeps } from '../provider-call/plan-attempt.ts';
import { readModelRights } from '../snapshot/model-rights.ts';
import type { BudgetEntry } from '../snapshot/tables/budgets.ts';
import { type AdmitDeps, admit, reportLimit } from './admit.ts';
import { plan } from './plan.ts';

/**
 * Stage 9 with the budgets that route: a request that such a budget does not cover is planned again for the model that
 * the budget names, where the caller may use it, and no longer counts in that budget.
 */
export async function admitOrRoute(planned: Planned, deps: AdmitDeps & PlanDeps): Promise<Admitted> {
  const routedBy: BudgetEntry[] = [];
  for (let exchange = planned; ; ) {
    try {
      const admitted = await admit(exchange, deps);
      const budget = routedBy.at(-1);
      if (budget) admitted.head.set('x-sluice-budget-route', `${budget.routeTo}; budget=${budget.id}`);
      return admitted;
    } catch (error) {
      const budget = findReachedBudget(error, deps.snapshot);
      const routed = budget && (await planInstead(budget, routedBy, exchange, deps));
      if (!routed) throw reportLimit(exchange, error, deps);
      routedBy.push(budget);
      exchange = addResult(routed, 'admit', { routedBy: [...routedBy] });
    }
  }
}

/**
 * Plans the request for the model that a budget names; returns `null` if it names none or has done so before, or if the
 * caller may not use the model or it cannot serve the request.
 */
async function planInstead(
  { id, routeTo }: BudgetEntry,
  routedBy: readonly BudgetEntry[],
  exchange: Planned,
  deps: PlanDeps,
): Promise<Planned | null> {
  if (routeTo === null || routedBy.some((earlier) => earlier.id === id)) return null;
  const { usable, refusal } = checkModel(routeTo, readModelRights(exchange.principal, deps.snapshot));
  if (refusal) return null;
  // Only these two results of earlier stages are replaced, and nothing was sent or reserved with the previous ones.
  const authorized: Bound & Omit<Classified, 'targets'> = exchange;
  const classified = addResult(authorized, 'authorize', { targets: usable });
  return plan(classified, deps).catch(() => null);
}
