import type { Budget, BudgetSubjectType } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { describeBudgetSubject } from '#domain/allowance/describe-budget.ts';
import { findPeriodWindow } from '#domain/allowance/period.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import { selectTeamDefaults, type TeamDefaultRow } from './defaults-store.ts';
import { type BudgetFilters, type BudgetRow, selectBudgets } from './store.ts';
import { showAmount, showSubject, showTerms } from './terms.ts';

interface BudgetQuery extends Omit<BudgetFilters, 'ownerId'> {
  readonly owner_id?: number | undefined;
  readonly subject_type?: BudgetSubjectType | undefined;
  readonly subject_id?: number | undefined;
  readonly used_percent?: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

export async function listBudgets(
  tx: TenantTransaction,
  { tenantId }: Principal,
  query: BudgetQuery,
): Promise<Page<Budget[]>> {
  const { limit, owner_id: ownerId, skip, subject_id, subject_type, used_percent = 0, ...filters } = query;
  const rows = await selectBudgets(tx, tenantId, { ...filters, ownerId });
  const { team_id: teamId, ...others } = filters;
  const namesOther = [ownerId, ...Object.values(others)].some((id) => id !== undefined);
  const defaults = namesOther ? [] : await selectTeamDefaults(tx, tenantId);
  const ofTeam = defaults.filter(({ row }) => teamId === undefined || row.teamId === teamId);
  const found = [...rows.map(toBudget), ...ofTeam.map(toMemberBudget)]
    .filter(
      (one) =>
        one.used_percent >= used_percent &&
        (subject_type === undefined || one.subject_type === subject_type) &&
        (subject_id === undefined || one.subject_id === subject_id),
    )
    .toSorted((one, other) => other.used_percent - one.used_percent || one.id - other.id);
  return new Page(found.slice(skip, skip + limit), String(found.length));
}

export async function getBudget(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  id: number,
): Promise<Budget> {
  const [row] = await selectBudgets(tx, tenantId, { id });
  if (row) return toBudget(row);
  const [teamDefault] = await selectTeamDefaults(tx, tenantId, id);
  if (!teamDefault) throw notFound('Budget');
  return toMemberBudget(teamDefault);
}

export async function listBudgetsById(
  tx: TenantTransaction,
  tenantId: number,
  filters: Pick<BudgetFilters, 'ids' | 'ownerId'>,
): Promise<Map<number, Budget>> {
  const rows = await selectBudgets(tx, tenantId, filters);
  return new Map(rows.map((row) => [row.budget.id, toBudget(row)]));
}

export async function listOwnBudgets(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
): Promise<Budget[]> {
  return (await selectBudgets(tx, tenantId, { ownerId: userId, includesTeams: true })).map(toBudget);
}

/**
 * Returns the highest used percentage per user, of the user's own budgets that reject or downgrade requests. Limits of
 * zero and limits on parallel requests are skipped.
 */
export async function readBudgetUse(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<ReadonlyMap<number, number>> {
  const percents = new Map<number, number>();
  for (const row of await selectBudgets(tx, tenantId, { user_id: userId })) {
    const { userId: id } = row.budget;
    const { action, effective_limit, measure, used_percent } = toBudget(row);
    if (id === null || action === 'warn' || measure === 'parallel_requests' || effective_limit === 0)
      continue;
    percents.set(id, Math.max(percents.get(id) ?? 0, used_percent));
  }
  return percents;
}

function toBudget(row: BudgetRow): Budget {
  const { budget, isRaised } = row;
  const { measure } = budget;
  const show = (amount: number) => showAmount(measure, amount);
  const raisedLimit = isRaised ? budget.raisedLimit : null;
  const limit = Math.max(budget.limitAmount, raisedLimit ?? 0);
  const { used, startMs, endMs } = readWindow(row);
  const inUse = measure === 'parallel_requests' ? used.leased : used.settled;
  return {
    id: budget.id,
    ...showSubject(budget, row.userKind === 'service'),
    team_id: budget.teamId,
    llm_provider_id: budget.llmProviderId,
    model_pattern: budget.modelPattern,
    subject: describeBudgetSubject({ ...row, models: budget.modelPattern }),
    origin: describeOrigin(row),
    default_id: budget.defaultId,
    starts_at: budget.startsAt?.toISOString() ?? null,
    ...showTerms(budget),
    raised_limit: raisedLimit === null ? null : show(raisedLimit),
    raised_until: isRaised ? (budget.raisedUntil?.toISOString() ?? null) : null,
    raise_reason: isRaised ? budget.raiseReason : null,
    effective_limit: show(limit),
    spent: show(used.settled),
    held: show(used.leased),
    used_percent: limit === 0 ? 100 : Math.round((inUse / limit) * 1_000) / 10,
    requests: used.requests,
    counts_since: new Date(Math.max(startMs, budget.createdAt.getTime())).toISOString(),
    resets_at: Number.isFinite(endMs) ? new Date(endMs).toISOString() : null,
    over_max: show(used.overrun),
    created_at: budget.createdAt.toISOString(),
  };
}

/** Maps a team default to a budget without usage. */
function toMemberBudget({ nowMs, row, team, teamId, timeZone }: TeamDefaultRow): Budget {
  const terms = showTerms(row);
  const { endMs, startMs } = findPeriodWindow({ unit: row.period, startsAtMs: null }, nowMs, timeZone);
  return {
    id: row.id,
    subject_type: 'team_member',
    subject_id: teamId,
    team_id: teamId,
    llm_provider_id: null,
    model_pattern: null,
    subject: `each member of team "${team}"`,
    origin: nameOrigin(team),
    default_id: row.id,
    starts_at: null,
    ...terms,
    raised_limit: null,
    raised_until: null,
    raise_reason: null,
    effective_limit: terms.limit,
    spent: 0,
    held: 0,
    used_percent: 0,
    requests: 0,
    counts_since: new Date(Math.max(startMs, row.createdAt.getTime())).toISOString(),
    resets_at: Number.isFinite(endMs) ? new Date(endMs).toISOString() : null,
    over_max: 0,
    created_at: row.createdAt.toISOString(),
  };
}

function describeOrigin({ budget, defaultTeam }: BudgetRow): string | null {
  if (!budget.isDefault) return null;
  return nameOrigin(defaultTeam);
}

/** Owner of a default. A `team` of `null` means the organization. */
export const nameOrigin = (team: string | null) => (team === null ? 'your organization' : `team "${team}"`);

const unused = { settled: 0, leased: 0, requests: 0, overrun: 0 };

/** Returns the usage of the current window. All values are zero if the latest window with usage has ended. */
function readWindow({ budget, isTotal, nowMs, timeZone, windowStart, ...row }: BudgetRow) {
  const period = { unit: budget.period, startsAtMs: budget.startsAt?.getTime() ?? null };
  const { startMs, endMs } = findPeriodWindow(period, nowMs, timeZone);
  const latestMs = isTotal ? Number.NEGATIVE_INFINITY : (windowStart?.getTime() ?? Number.NaN);
  const { leased, overrun, requests, settled } = row;
  const isCurrent = latestMs === startMs;
  return {
    startMs,
    endMs,
    used: isCurrent
      ? { settled: settled ?? 0, leased: leased ?? 0, requests: requests ?? 0, overrun: overrun ?? 0 }
      : unused,
  };
}
