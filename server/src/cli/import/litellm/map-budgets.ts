import type { BudgetMeasure, BudgetPeriod } from '@sluice/contract';
import { mapDuration } from '../budget-window.ts';
import type { Findings } from '../findings.ts';
import type { FoundBudget } from '../inventory.ts';
import type { LimitColumns } from './rows.ts';

type Subject = Pick<FoundBudget, 'subject' | 'ref' | 'teamRef'> & {
  readonly name: string;
};

const limitMax = 9_000_000;

export function mapBudgets(
  { name, ...subject }: Subject,
  limits: LimitColumns & { readonly spend: number | null },
  findings: Findings,
): FoundBudget[] {
  const budgets: FoundBudget[] = [];
  const perWindow = (measure: BudgetMeasure, window: BudgetPeriod, limit: number | null) => {
    if (limit !== null && limit >= 0)
      budgets.push({ ...subject, measure, window, action: 'refuse', limit: Math.floor(limit) });
  };
  perWindow('requests', 'minute', limits.rpm_limit);
  perWindow('tokens', 'minute', limits.tpm_limit);
  perWindow('tokens', 'day', limits.tpd_limit);
  perWindow('parallel_requests', 'at_once', limits.max_parallel_requests);
  const spending = mapSpending({ name, ...subject }, limits, findings);
  if (spending) budgets.push(spending);
  for (const [model, value] of Object.entries(limits.model_max_budget)) {
    const perModel = mapModelBudget({ name, ...subject }, { model, value }, findings);
    if (perModel) budgets.push(perModel);
  }
  return budgets;
}

function mapSpending(
  { name, ...subject }: Subject,
  limits: LimitColumns & { readonly spend: number | null },
  findings: Findings,
): FoundBudget | null {
  const { max_budget: max, soft_budget: soft, spend } = limits;
  const limit = max ?? soft;
  if (limit === null) return null;
  const terms = toTerms(name, { limit, duration: limits.budget_duration }, findings);
  if (!terms) return null;
  const { isSplit, parts, ...found } = terms;
  return {
    ...subject,
    ...found,
    action: max === null ? 'warn' : 'refuse',
    ...(max !== null && soft !== null && max > 0 && { thresholds: toThresholds(soft / max) }),
    spent: (spend ?? 0) / parts,
    resetsAt: isSplit ? null : limits.budget_reset_at,
  };
}

const toThresholds = (share: number) => {
  const threshold = Number(share.toFixed(2));
  return threshold >= 0.01 && threshold < 1 ? [threshold, 1] : [1];
};

function mapModelBudget(
  { name, ...subject }: Subject,
  { model, value }: { readonly model: string; readonly value: unknown },
  findings: Findings,
): FoundBudget | null {
  const given = (typeof value === 'object' ? value : { budget_limit: value }) as Record<
    string,
    unknown
  > | null;
  const limit = Number(given?.budget_limit ?? given?.max_budget ?? Number.NaN);
  if (!Number.isFinite(limit)) return null;
  const duration = given?.time_period ?? given?.budget_duration;
  const terms = toTerms(name, { limit, duration: typeof duration === 'string' ? duration : null }, findings);
  if (!terms) return null;
  const { isSplit: _, parts: __, ...found } = terms;
  findings.approximate(
    'budgets',
    name,
    'budgets of individual models start at 0, since LiteLLM keeps their spend in its cache',
  );
  return { ...subject, ...found, action: 'refuse', modelPattern: model };
}

function toTerms(
  name: string,
  { duration, limit }: { readonly limit: number; readonly duration: string | null },
  findings: Findings,
) {
  const mapped = mapDuration(duration);
  if (!mapped || limit < 0) {
    findings.leaveOut(
      'budgets',
      name,
      mapped ? 'its limit is negative' : `its duration ${duration} is unknown`,
    );
    return null;
  }
  const { parts, window } = mapped;
  if (limit > limitMax) {
    findings.leaveOut('budgets', name, 'its limit is above $9,000,000');
    return null;
  }
  const isSplit = parts > 1;
  if (isSplit)
    findings.approximate(
      'budgets',
      name,
      `Sluice has no window of ${duration}: the limit and the spend are divided by ${parts}, per ${window}`,
    );
  return { measure: 'usd' as const, window, limit: Number((limit / parts).toFixed(9)), isSplit, parts };
}
