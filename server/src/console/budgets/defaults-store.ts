import type { BudgetMeasure, BudgetPeriod } from '@sluice/contract';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { budgetDefaults, budgets } from '#db/schema/budgets.ts';
import { teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface DefaultPlace {
  readonly teamId: number | null;
  readonly measure: BudgetMeasure;
  readonly period: BudgetPeriod;
}

const isOf = (tenantId: number, id: number) =>
  and(eq(budgetDefaults.tenantId, tenantId), eq(budgetDefaults.id, id));

export async function selectDefaults(tx: TenantTransaction, tenantId: number, id?: number) {
  return tx
    .select({
      row: budgetDefaults,
      team: teams.name,
      users: sql`(SELECT count(*) FROM ${budgets} WHERE ${budgets.defaultId} = ${budgetDefaults.id})`.mapWith(
        Number,
      ),
    })
    .from(budgetDefaults)
    .leftJoin(teams, eq(teams.id, budgetDefaults.teamId))
    .where(id === undefined ? eq(budgetDefaults.tenantId, tenantId) : isOf(tenantId, id))
    .orderBy(sql`${budgetDefaults.teamId} IS NOT NULL`, asc(teams.name), asc(budgetDefaults.id));
}

export async function selectTeamDefaults(tx: TenantTransaction, tenantId: number, id?: number) {
  return tx
    .select({
      row: budgetDefaults,
      teamId: teams.id,
      team: teams.name,
      timeZone: tenants.timeZone,
      nowMs: sql`floor(extract(epoch FROM now()) * 1000)`.mapWith(Number),
    })
    .from(budgetDefaults)
    .innerJoin(teams, eq(teams.id, budgetDefaults.teamId))
    .innerJoin(tenants, eq(tenants.id, budgetDefaults.tenantId))
    .where(id === undefined ? eq(budgetDefaults.tenantId, tenantId) : isOf(tenantId, id));
}

export type TeamDefaultRow = Awaited<ReturnType<typeof selectTeamDefaults>>[number];
export type DefaultRow = Awaited<ReturnType<typeof selectDefaults>>[number];

/** Inserts a default and returns its id, or `undefined` if a default with these members, measure and period exists. */
export async function insertDefault(
  tx: TenantTransaction,
  values: typeof budgetDefaults.$inferInsert,
): Promise<number | undefined> {
  const [row] = await tx
    .insert(budgetDefaults)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: budgetDefaults.id });
  return row?.id;
}

export async function lockDefault(tx: TenantTransaction, tenantId: number, id: number) {
  const [row] = await tx.select().from(budgetDefaults).where(isOf(tenantId, id)).for('update');
  return row;
}

export async function lockDefaultOf(tx: TenantTransaction, tenantId: number, place: DefaultPlace) {
  const { measure, period, teamId } = place;
  const [row] = await tx
    .select()
    .from(budgetDefaults)
    .where(
      and(
        eq(budgetDefaults.tenantId, tenantId),
        teamId === null ? isNull(budgetDefaults.teamId) : eq(budgetDefaults.teamId, teamId),
        eq(budgetDefaults.measure, measure),
        eq(budgetDefaults.period, period),
      ),
    )
    .for('update');
  return row;
}

export async function changeDefault(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  columns: Partial<typeof budgetDefaults.$inferInsert>,
): Promise<void> {
  await tx.update(budgetDefaults).set(columns).where(isOf(tenantId, id));
}

export async function deleteDefault(tx: TenantTransaction, tenantId: number, id: number): Promise<boolean> {
  const { rowCount } = await tx.delete(budgetDefaults).where(isOf(tenantId, id));
  return rowCount === 1;
}

export async function hasTeam(tx: TenantTransaction, tenantId: number, id: number): Promise<boolean> {
  const found = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), eq(teams.id, id)));
  return found.length === 1;
}

/** Only includes limits that apply to all requests of a user. */
export async function selectUserLimits(
  tx: TenantTransaction,
  tenantId: number,
  { measure, period }: Pick<DefaultPlace, 'measure' | 'period'>,
) {
  return tx
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      limitAmount: budgets.limitAmount,
      isDefault: budgets.isDefault,
      team: teams.name,
    })
    .from(budgets)
    .innerJoin(users, eq(users.id, budgets.userId))
    .leftJoin(budgetDefaults, eq(budgetDefaults.id, budgets.defaultId))
    .leftJoin(teams, eq(teams.id, budgetDefaults.teamId))
    .where(
      and(
        eq(budgets.tenantId, tenantId),
        eq(budgets.measure, measure),
        eq(budgets.period, period),
        eq(budgets.isRetired, false),
        sql`(${budgets.isDefault} OR is_own_limit(${budgets}))`,
      ),
    )
    .orderBy(asc(users.name), asc(users.id));
}

export async function selectMemberIds(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number | null,
): Promise<number[]> {
  const isMember = sql`EXISTS (SELECT FROM team_members m WHERE m.team_id = ${teamId} AND m.user_id = ${users.id} AND m.is_active)`;
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), teamId === null ? undefined : isMember));
  return rows.map(({ id }) => id);
}
