import type { BudgetSubjectType } from '@sluice/contract';
import { and, asc, DrizzleQueryError, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { apiKeys } from '#db/schema/api-keys.ts';
import { budgetDefaults, budgets } from '#db/schema/budgets.ts';
import { llmProviders } from '#db/schema/llm-providers.ts';
import { allowances, tasks } from '#db/schema/tasks.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError } from '#errors/console-error.ts';

export interface BudgetFilters {
  readonly id?: number | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly team_id?: number | undefined;
  readonly user_id?: number | undefined;
  readonly api_key_id?: number | undefined;
  readonly task_id?: number | undefined;
  readonly llm_provider_id?: number | undefined;
  /** Only returns budgets of this user and of this user's API keys. */
  readonly ownerId?: number | undefined;
  /** With `ownerId`: whether to include budgets of teams in which the user is an active member. */
  readonly includesTeams?: boolean;
}

const defaultTeams = alias(teams, 'default_teams');

/** Includes the usage of each budget's latest window, which may have ended. */
export async function selectBudgets(tx: TenantTransaction, tenantId: number, filters: BudgetFilters) {
  const latest = tx
    .select({
      windowStart: allowances.windowStart,
      isTotal: sql<boolean>`${allowances.windowStart} = '-infinity'`.as('is_total'),
      settled: allowances.settled,
      leased: allowances.leased,
      requests: allowances.requests,
      overrun: allowances.overrun,
    })
    .from(allowances)
    .where(
      and(sql`${allowances.kind} = kind_of_budget(${budgets.measure})`, eq(allowances.subjectId, budgets.id)),
    )
    .orderBy(sql`${allowances.windowStart} DESC`)
    .limit(1)
    .as('latest');
  return tx
    .select({
      budget: budgets,
      isRaised: sql<boolean>`coalesce(${budgets.raisedUntil} > now(), false)`,
      team: teams.name,
      defaultTeam: defaultTeams.name,
      user: users.name,
      userKind: users.kind,
      apiKey: apiKeys.name,
      task: tasks.title,
      instance: llmProviders.providerInstanceName,
      timeZone: tenants.timeZone,
      nowMs: sql`floor(extract(epoch FROM now()) * 1000)`.mapWith(Number),
      windowStart: latest.windowStart,
      isTotal: latest.isTotal,
      settled: latest.settled,
      leased: latest.leased,
      requests: latest.requests,
      overrun: latest.overrun,
    })
    .from(budgets)
    .innerJoin(tenants, eq(tenants.id, budgets.tenantId))
    .leftJoin(teams, eq(teams.id, budgets.teamId))
    .leftJoin(apiKeys, eq(apiKeys.id, budgets.apiKeyId))
    .leftJoin(users, eq(users.id, sql`coalesce(${budgets.userId}, ${apiKeys.userId})`))
    .leftJoin(tasks, eq(tasks.id, budgets.taskId))
    .leftJoin(llmProviders, eq(llmProviders.id, budgets.llmProviderId))
    .leftJoin(budgetDefaults, eq(budgetDefaults.id, budgets.defaultId))
    .leftJoin(defaultTeams, eq(defaultTeams.id, budgetDefaults.teamId))
    .leftJoinLateral(latest, sql`true`)
    .where(matches(tenantId, filters))
    .orderBy(asc(budgets.id));
}

export type BudgetRow = Awaited<ReturnType<typeof selectBudgets>>[number];

function matches(tenantId: number, filters: BudgetFilters): SQL | undefined {
  const { id, ids, ownerId, includesTeams, ...subject } = filters;
  const columns = {
    team_id: budgets.teamId,
    user_id: budgets.userId,
    api_key_id: budgets.apiKeyId,
    task_id: budgets.taskId,
    llm_provider_id: budgets.llmProviderId,
  };
  return and(
    eq(budgets.tenantId, tenantId),
    eq(budgets.isRetired, false),
    id === undefined ? undefined : eq(budgets.id, id),
    ids && inArray(budgets.id, [...ids]),
    ownerId === undefined
      ? undefined
      : or(
          eq(budgets.userId, ownerId),
          eq(apiKeys.userId, ownerId),
          includesTeams ? isOfTeamOf(ownerId) : undefined,
        ),
    ...Object.entries(columns).map(([name, column]) => {
      const wanted = subject[name as keyof typeof columns];
      return wanted === undefined ? undefined : eq(column, wanted);
    }),
  );
}

const isOfTeamOf = (userId: number): SQL | undefined =>
  and(
    isNull(budgets.userId),
    isNull(budgets.apiKeyId),
    isNull(budgets.taskId),
    sql`EXISTS (SELECT FROM ${teamMembers} WHERE ${teamMembers.teamId} = ${budgets.teamId}
      AND ${teamMembers.userId} = ${userId} AND ${teamMembers.isActive})`,
  );

/**
 * Returns the ids of keys that count toward a key's budget: the key, the keys that it replaced, and their task keys.
 */
export async function selectPayingKeys(tx: TenantTransaction, apiKeyId: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    WITH RECURSIVE paying AS (
      SELECT ${apiKeyId}::integer AS id
      UNION
      SELECT k.id FROM api_keys k JOIN paying ON k.replaced_by = paying.id OR k.minted_by = paying.id
    )
    SELECT id FROM paying`);
  return rows.map(({ id }) => id);
}

export async function selectUserNames(tx: TenantTransaction, userIds: readonly number[]) {
  const rows = await tx
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, [...userIds]));
  return new Map(rows.map((row) => [row.id, row]));
}

export async function hasUser(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  kind: typeof users.$inferSelect.kind,
): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, id), eq(users.kind, kind)));
  return found.length === 1;
}

/**
 * Inserts a budget.
 * @throws ConsoleError 422 if one of the referenced objects does not exist in the tenant
 */
export async function insertBudget(
  tx: TenantTransaction,
  values: typeof budgets.$inferInsert,
  subjectType: BudgetSubjectType,
): Promise<number> {
  const inserted = tx.insert(budgets).values(values).returning({ id: budgets.id });
  const [row] = await explained(inserted, subjectType);
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

/** Locks a budget until the transaction ends. Returns `undefined` if the tenant has no such budget. */
export async function lockBudget(tx: TenantTransaction, tenantId: number, id: number) {
  const [row] = await tx
    .select()
    .from(budgets)
    .where(and(isBudget(tenantId, id), eq(budgets.isRetired, false)))
    .for('update');
  return row;
}

export const noRaise = { raisedLimit: null, raisedUntil: null, raiseReason: null } as const;

export async function changeBudget(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  columns: Partial<typeof budgets.$inferInsert>,
): Promise<void> {
  await tx.update(budgets).set(columns).where(isBudget(tenantId, id));
}

/** Returns a budget, possibly retired, that was created by a default for the same subject, measure and period. */
export async function findDefaultBudget(
  tx: TenantTransaction,
  values: typeof budgets.$inferInsert,
): Promise<number | undefined> {
  const {
    apiKeyId,
    llmProviderId,
    measure,
    modelPattern,
    period,
    startsAt,
    taskId,
    teamId,
    tenantId,
    userId,
  } = values;
  if (userId == null) return undefined;
  if ([apiKeyId, llmProviderId, modelPattern, startsAt, taskId, teamId].some((one) => one != null))
    return undefined;
  const [row] = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(
      and(
        eq(budgets.tenantId, tenantId),
        eq(budgets.userId, userId),
        eq(budgets.measure, measure),
        eq(budgets.period, period),
        eq(budgets.isDefault, true),
      ),
    )
    .for('update');
  return row?.id;
}

/** Replaces a user's budget with the applicable default. Returns `false` if no default applies. */
export async function returnToDefault(
  tx: TenantTransaction,
  tenantId: number,
  current: typeof budgets.$inferSelect,
): Promise<boolean> {
  const isOfUser =
    current.userId !== null &&
    [
      current.apiKeyId,
      current.llmProviderId,
      current.modelPattern,
      current.startsAt,
      current.taskId,
      current.teamId,
    ].every((one) => one === null);
  if (!isOfUser || (await findDefaultBudget(tx, current)) !== undefined) return false;
  await tx.execute(sql`SAVEPOINT before_return`);
  await changeBudget(tx, tenantId, current.id, { isDefault: true, ...noRaise });
  const [row] = await tx
    .select({ isRetired: budgets.isRetired })
    .from(budgets)
    .where(isBudget(tenantId, current.id));
  if (row?.isRetired) await tx.execute(sql`ROLLBACK TO SAVEPOINT before_return`);
  return row?.isRetired === false;
}

export async function deleteBudgetRow(tx: TenantTransaction, tenantId: number, id: number): Promise<boolean> {
  const { rowCount } = await tx.delete(budgets).where(isBudget(tenantId, id));
  return rowCount === 1;
}

const isBudget = (tenantId: number, id: number) => and(eq(budgets.tenantId, tenantId), eq(budgets.id, id));

const foreignKeyViolation = '23503';

async function explained<Result>(
  statement: Promise<Result>,
  subjectType: BudgetSubjectType,
): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : error;
    if (!(cause instanceof pg.DatabaseError) || cause.code !== foreignKeyViolation) throw error;
    const column = /^budgets_tenant_id_(\w+)_fkey$/.exec(cause.constraint ?? '')?.[1];
    if (column === undefined) throw error;
    const isNarrowing = column === 'team_id' || column === 'llm_provider_id';
    const isSubject = column === 'team_id' ? subjectType === 'team' : subjectType === 'provider';
    const field = isNarrowing && !isSubject ? column : 'subject_id';
    throw new ConsoleError(422, [
      { loc: ['body', field], msg: 'Your organization has no object with this ID', type: 'value_error' },
    ]);
  }
}
