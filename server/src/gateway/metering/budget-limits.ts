import type { UsableTarget } from '#domain/access/check-model.ts';
import { isBudget } from '#domain/allowance/window.ts';
import { holdOf } from '#domain/price/cost.ts';
import { type Principal, payingKeyIdsOf } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { HeldPart } from '../allowance/hold.ts';
import type { BoundTask } from '../exchange.ts';
import { priceTarget } from '../snapshot/price-target.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type BudgetEntry, budgetKey } from '../snapshot/tables/budgets.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

type Target = UsableTarget<InstanceEntry>;

export interface BudgetedRequest {
  readonly principal?: Principal | null;
  readonly task?: BoundTask | null;
  readonly summary?: { readonly model: string } | null;
  readonly receivedAtMs: number;
  readonly routedBy?: readonly BudgetEntry[] | null;
  readonly affordable?: readonly Target[] | null;
}

export interface AppliedBudget<Candidate extends Target = Target> {
  readonly budget: BudgetEntry;
  readonly targets: readonly Candidate[];
}

const none: readonly never[] = [];

export function listBudgets<Candidate extends Target>(
  request: BudgetedRequest,
  targets: readonly Candidate[],
  { budgets }: Pick<Snapshot, 'budgets'>,
): readonly AppliedBudget<Candidate>[] {
  if (budgets.size === 0) return none;
  const applied: AppliedBudget<Candidate>[] = [];
  for (const key of listKeys(request, targets)) {
    for (const budget of budgets.find(key)) {
      if (request.routedBy?.some(({ id }) => id === budget.id)) continue;
      const isOfBudget = (target: Candidate) => isCounted(budget, request, target);
      const counted = targets.every(isOfBudget) ? targets : targets.filter(isOfBudget);
      if (counted.length > 0) applied.push({ budget, targets: counted });
    }
  }
  return applied;
}

export function narrowBudgets<Candidate extends Target>(
  applied: readonly AppliedBudget<Candidate>[],
  targets: readonly Candidate[],
): readonly AppliedBudget<Candidate>[] {
  if (applied.every(({ targets: counted }) => counted === targets)) return applied;
  return applied.flatMap(({ budget, targets: counted }) => {
    const left = counted.filter((one) => targets.includes(one));
    if (left.length === 0) return [];
    // Budgets that apply to all targets share one list, so that their cost is calculated once.
    return [{ budget, targets: left.length === targets.length ? targets : left }];
  });
}

function listKeys({ principal, task }: BudgetedRequest, targets: readonly Target[]): Set<number> {
  if (!principal) return new Set();
  const keys = new Set([budgetKey('tenant', principal.tenantId), budgetKey('user', principal.userId)]);
  for (const apiKeyId of payingKeyIdsOf(principal)) keys.add(budgetKey('key', apiKeyId));
  if (task) keys.add(budgetKey('task', task.task.id));
  for (const { instance, teamId } of targets) {
    keys.add(budgetKey('instance', instance.id));
    if (teamId !== null) keys.add(budgetKey('team', teamId));
  }
  return keys;
}

export function isCounted(
  budget: BudgetEntry,
  { principal, receivedAtMs, summary, task }: BudgetedRequest,
  { instance, model, teamId }: Target,
): boolean {
  const { startsAtMs } = budget.period;
  if (!principal || budget.tenantId !== principal.tenantId) return false;
  return (
    (budget.userId === null || budget.userId === principal.userId) &&
    (budget.apiKeyId === null || payingKeyIdsOf(principal).includes(budget.apiKeyId)) &&
    (budget.teamId === null || budget.teamId === teamId) &&
    (budget.taskId === null || budget.taskId === task?.task.id) &&
    (budget.instanceId === null || budget.instanceId === instance.id) &&
    (startsAtMs === null || startsAtMs <= receivedAtMs) &&
    (budget.models === null ||
      budget.fits(model.toLowerCase()) ||
      budget.fits((summary?.model ?? model).toLowerCase()))
  );
}

/**
 * Returns whether a part of a hold is used if this target serves the request. A budget is used only if it still
 * exists and counts this target.
 */
export function isUsedAt(
  { lease: { key } }: HeldPart,
  request: BudgetedRequest,
  target: Target,
  { budgets }: Pick<Snapshot, 'budgets'>,
): boolean {
  // A hold for a single target contains no budgets of other targets.
  if (request.affordable?.length === 1 || !isBudget(key.kind)) return true;
  const budget = budgets.get(key.subjectId);
  return budget !== undefined && isCounted(budget, request, target);
}

/**
 * Calculates the maximum cost at a budget's targets: list price at instances that the tenant pays directly, with
 * markup at others. Budgets with the same targets share one calculation.
 */
export function createBudgetCosts(
  applied: readonly AppliedBudget[],
  bounds: { readonly inputTokens: number; readonly hasAudio: boolean },
  receivedAtMs: number,
  snapshot: Snapshot,
): (outputTokens: number, index: number) => number {
  const byTargets = new Map<readonly Target[], (outputTokens: number) => number>();
  const createCost = (targets: readonly Target[]) => {
    const prices = targets.flatMap(
      ({ instance, model }) => priceTarget(snapshot, instance, model, receivedAtMs) ?? [],
    );
    const costs = new Map<number, number>();
    return (outputTokens: number) =>
      costs.getOrInsertComputed(outputTokens, () =>
        prices.reduce(
          (most, { price, markupPercent }) =>
            Math.max(most, Number(holdOf({ ...bounds, outputTokens }, price, markupPercent))),
          0,
        ),
      );
  };
  return (outputTokens, index) => {
    const targets = applied[index]?.targets ?? none;
    return byTargets.getOrInsertComputed(targets, createCost)(outputTokens);
  };
}

/**
 * Excludes attempts without a known price if a dollar budget applies to them, unless the tenant allows them.
 * @throws GatewayError if no attempt is left
 */
export function requireBudgetPriced<Candidate extends Target>(
  request: BudgetedRequest & { readonly principal: Principal },
  attempts: readonly [Candidate, ...Candidate[]],
  applied: readonly AppliedBudget<Candidate>[],
  snapshot: Snapshot,
): { readonly attempts: readonly [Candidate, ...Candidate[]]; readonly unpriced: readonly Candidate[] } {
  const isCountedInDollars = (attempt: Candidate) =>
    applied.some(({ budget, targets }) => budget.measure === 'usd' && targets.includes(attempt));
  const unpriced = attempts.filter(
    (one) => isCountedInDollars(one) && !priceTarget(snapshot, one.instance, one.model, request.receivedAtMs),
  );
  if (unpriced.length === 0) return { attempts, unpriced };
  const rule = snapshot.tenants.get(request.principal.tenantId)?.unpricedModels ?? 'refuse';
  if (rule === 'allow') return { attempts, unpriced };
  const [first, ...others] = attempts.filter((one) => !unpriced.includes(one));
  if (first) return { attempts: [first, ...others], unpriced: none };
  throw new GatewayError(
    'model_unpriced',
    `No price is known for '${attempts[0].model}', so a budget in dollars cannot count it, and your organization rejects such requests. Use another model, or ask your administrator to set its price.`,
    { param: 'model' },
  );
}
