import type { SystemDatabase } from '#db/system.ts';
import { invalidField } from '#errors/console-error.ts';
import { findPlan, type PlanRow } from './store.ts';

/**
 * Returns a plan.
 * @throws ConsoleError 422 on `field` if it is not available.
 */
export async function requirePlan(tx: SystemDatabase, planId: string, field = 'plan_id'): Promise<PlanRow> {
  const plan = await findPlan(tx, planId);
  if (!plan) throw invalidField(field, 'There is no such plan');
  return plan;
}
