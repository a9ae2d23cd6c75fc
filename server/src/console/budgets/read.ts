import { type Budget, type BudgetMeasure, toNanoUsd, toUsd } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { describeBudgetSubject } from '#domain/allowance/describe-budget.ts';
import { findPeriodWindow } from '#domain/allowance/period.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import { type BudgetFilters, type BudgetRow, selectBudgets } from './store.ts';

interface BudgetQuery extends BudgetFilters {
  readonly used_percent?: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** Lists budgets by the share of their limit that is used, highest first. */
export async function listBudgets(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { used_percent: atLeast = 0, skip, limit, ...filters }: BudgetQuery,
): Promise<Page<Budget[]>> {
  const rows = await selectBudgets(tx, tenantId, filters);
  const found = rows
    .map(toBudget)
    .filter((one) => one.used_percent >= atLeast)
    .toSorted((one, other) => other.used_percent - one.used_percent || one.id - other.id);
  return new Page(found.slice(skip, skip + limit), String(found.length));
}

export async function getBudget(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  id: number,
): Promise<Budget> {
  const [row] = await selectBudgets(tx, tenantId, { id });
  if (!row) throw notFound('Budget');
  return toBudget(row);
}

/** Lists the budgets of the caller and the caller's API keys. */
export async function listOwnBudgets(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
): Promise<Budget[]> {
  return (await selectBudgets(tx, tenantId, { ownerId: userId })).map(toBudget);
}

/** Converts an amount in JSON to nano-dollars, tokens or requests. */
export function toAmount(measure: BudgetMeasure, amount: number): number {
  return measure === 'usd' ? Number(toNanoUsd(amount)) : amount;
}

function toBudget(row: BudgetRow): Budget {
  const { budget, isRaised } = row;
  const { measure } = budget;
  const show = (amount: number) => (measure === 'usd' ? toUsd(BigInt(amount)) : amount);
  const raisedLimit = isRaised ? budget.raisedLimit : null;
  const limit = Math.max(budget.limitAmount, raisedLimit ?? 0);
  const { used, endMs } = readWindow(row);
  return {
    id: budget.id,
    team_id: budget.teamId,
    user_id: budget.userId,
    api_key_id: budget.apiKeyId,
    task_id: budget.taskId,
    llm_provider_id: budget.llmProviderId,
    model_pattern: budget.modelPattern,
    subject: describeBudgetSubject({ ...row, models: budget.modelPattern }),
    measure,
    period: budget.period,
    starts_at: budget.startsAt?.toISOString() ?? null,
    limit: show(budget.limitAmount),
    thresholds: budget.thresholds,
    action: budget.action,
    route_to: budget.routeTo,
    raised_limit: raisedLimit === null ? null : show(raisedLimit),
    raised_until: isRaised ? (budget.raisedUntil?.toISOString() ?? null) : null,
    raise_reason: isRaised ? budget.raiseReason : null,
    effective_limit: show(limit),
    spent: show(used.settled),
    held: show(used.leased),
    used_percent: Math.round((used.settled / limit) * 1_000) / 10,
    requests: used.requests,
    resets_at: Number.isFinite(endMs) ? new Date(endMs).toISOString() : null,
    over_max: show(used.overrun),
    created_at: budget.createdAt.toISOString(),
  };
}

const unused = { settled: 0, leased: 0, requests: 0, overrun: 0 };

/** Returns the usage of the current window; zeros if the latest used window has ended. */
function readWindow({ budget, isTotal, nowMs, timeZone, windowStart, ...row }: BudgetRow) {
  const period = { unit: budget.period, startsAtMs: budget.startsAt?.getTime() ?? null };
  const { startMs, endMs } = findPeriodWindow(period, nowMs, timeZone);
  const latestMs = isTotal ? Number.NEGATIVE_INFINITY : (windowStart?.getTime() ?? Number.NaN);
  const { leased, overrun, requests, settled } = row;
  const isCurrent = latestMs === startMs;
  return {
    endMs,
    used: isCurrent
      ? { settled: settled ?? 0, leased: leased ?? 0, requests: requests ?? 0, overrun: overrun ?? 0 }
      : unused,
  };
}
