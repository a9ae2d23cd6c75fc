import type { UserStanding } from '@sluice/contract';
import { and, asc, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { appeals } from '#db/schema/governance.ts';
import { signedInTools } from '#db/schema/signed-in-tools.ts';
import { allowances, taskAssignments, tasks } from '#db/schema/tasks.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { type AllowanceKind, findWindow } from '#domain/allowance/window.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { scoreNow } from './read.ts';
import { selectUsers, type UserRow } from './store.ts';

const recentMax = 10;

async function selectClock(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx
    .select({
      timeZone: tenants.timeZone,
      nowMs: sql`floor(extract(epoch FROM now()) * 1000)`.mapWith(Number),
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}

async function selectLimitUse(
  tx: TenantTransaction,
  tenantId: number,
  { kind, subjectId, start }: { kind: AllowanceKind; subjectId: number; start: Date },
): Promise<{ used: number; held: number }> {
  const [row] = await tx
    .select({ used: allowances.settled, held: allowances.leased })
    .from(allowances)
    .where(
      and(
        eq(allowances.tenantId, tenantId),
        eq(allowances.kind, kind),
        eq(allowances.subjectId, subjectId),
        eq(allowances.windowStart, start),
      ),
    );
  return row ?? { used: 0, held: 0 };
}

function selectTeamsOf(tx: TenantTransaction, tenantId: number, userId: number) {
  return tx
    .select({
      team_id: teams.id,
      team_name: teams.name,
      role: teamMembers.role,
      is_active: sql<boolean>`${teams.isActive} AND ${teamMembers.isActive}`,
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(eq(teamMembers.tenantId, tenantId), eq(teamMembers.userId, userId)))
    .orderBy(asc(sql`lower(${teams.name})`), asc(teams.id));
}

function selectTasksOf(tx: TenantTransaction, tenantId: number, userId: number) {
  const amount = (column: PgColumn) => sql`coalesce(${column}, 0)`.mapWith(Number);
  return tx
    .select({
      task_id: tasks.id,
      task_title: tasks.title,
      is_active: tasks.isActive,
      is_dummy_task: tasks.isDummyTask,
      progress_notes: taskAssignments.progressNotes,
      assignedAt: taskAssignments.assignedAt,
      requests: amount(allowances.requests),
      limit: tasks.tokenLimit,
      used: amount(allowances.settled),
      held: amount(allowances.leased),
    })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .leftJoin(
      allowances,
      and(
        eq(allowances.tenantId, tenantId),
        eq(allowances.kind, 'task_tokens'),
        eq(allowances.subjectId, taskAssignments.id),
      ),
    )
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        eq(taskAssignments.userId, userId),
        eq(taskAssignments.status, 'active'),
        isNull(tasks.deletedAt),
      ),
    )
    .orderBy(desc(taskAssignments.assignedAt), desc(taskAssignments.id));
}

async function findOpenAppeal(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({ id: appeals.id, message: appeals.message, createdAt: appeals.createdAt })
    .from(appeals)
    .where(and(eq(appeals.tenantId, tenantId), eq(appeals.userId, userId), eq(appeals.status, 'open')))
    .orderBy(desc(appeals.id))
    .limit(1);
  return row;
}

async function countTools(tx: TenantTransaction, tenantId: number, userId: number): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(signedInTools)
    .where(
      and(
        eq(signedInTools.tenantId, tenantId),
        eq(signedInTools.userId, userId),
        isNull(signedInTools.revokedAt),
        gt(signedInTools.expiresAt, sql`now()`),
      ),
    );
  return row?.total ?? 0;
}

export async function getUserStanding(
  tx: LogTransaction,
  { tenantId }: Principal,
  userId: number,
): Promise<UserStanding> {
  const [person] = await selectUsers(tx, tenantId, { userId });
  if (!person) throw notFound('User');
  const tasks = await selectTasksOf(tx, tenantId, userId);
  const requests = await tx.requestLog.selectRecent(userId, recentMax);
  const appeal = await findOpenAppeal(tx, tenantId, userId);
  return {
    deviation_score: scoreNow(person),
    limits: await readLimits(tx, tenantId, person),
    teams: await selectTeamsOf(tx, tenantId, userId),
    tasks: tasks.map(({ assignedAt, ...task }) => ({ ...task, assigned_at: assignedAt.toISOString() })),
    recent_requests: requests.map(({ receivedAt, ...request }) => ({
      ...request,
      timestamp: receivedAt.toISOString(),
    })),
    signed_in_tools: await countTools(tx, tenantId, userId),
    open_appeal: appeal
      ? { id: appeal.id, message: appeal.message, created_at: appeal.createdAt.toISOString() }
      : null,
  };
}

async function readLimits(
  tx: TenantTransaction,
  tenantId: number,
  person: UserRow,
): Promise<UserStanding['limits']> {
  const clock = await selectClock(tx, tenantId);
  if (!clock) throw notFound('Tenant');
  const read = async (kind: UserStanding['limits'][number]['kind'], limit: number | null) => {
    const { startMs, endMs } = findWindow(kind, clock.nowMs, clock.timeZone);
    const window = { kind, subjectId: person.id, start: new Date(startMs) };
    const use = await selectLimitUse(tx, tenantId, window);
    return { kind, limit, ...use, resets_at: new Date(endMs).toISOString() };
  };
  return [
    await read('requests_per_hour', person.requestsPerHour),
    await read('tokens_per_day', person.dailyQuota),
    await read('tokens_per_month', person.monthlyQuota),
  ];
}
