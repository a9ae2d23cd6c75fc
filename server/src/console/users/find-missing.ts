import type { User } from '@sluice/contract';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { llmProviders, teamProviderAccess, userProviderAccess } from '#db/schema/llm-providers.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/**
 * Returns which prerequisites of a first request each active user has, ordered by id. Returns a single user if
 * `userId` is specified.
 */
function selectReadiness(tx: TenantTransaction, tenantId: number, userId?: number) {
  return tx
    .select({
      id: users.id,
      name: users.name,
      role: roles.name,
      kind: users.kind,
      hasTask: exists(selectTask(tx, tenantId)),
      hasModels: sql<boolean>`${exists(selectOwnGrant(tx, tenantId))} OR ${exists(selectTeamGrant(tx, tenantId))}`,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.tenantId, tenantId),
        users.isActive,
        userId === undefined ? undefined : eq(users.id, userId),
      ),
    )
    .orderBy(asc(users.id));
}

const exists = (query: { getSQL(): SQL }) => sql<boolean>`EXISTS (${query.getSQL()})`;

function selectTask(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: taskAssignments.id })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        eq(taskAssignments.userId, users.id),
        eq(taskAssignments.status, 'active'),
        tasks.isActive,
        sql`${tasks.deletedAt} IS NULL`,
      ),
    );
}

function selectOwnGrant(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: userProviderAccess.id })
    .from(userProviderAccess)
    .innerJoin(llmProviders, eq(llmProviders.id, userProviderAccess.llmProviderId))
    .where(
      and(
        eq(userProviderAccess.tenantId, tenantId),
        eq(userProviderAccess.userId, users.id),
        sql`cardinality(${userProviderAccess.allowedModels}) > 0`,
        llmProviders.isActive,
      ),
    );
}

function selectTeamGrant(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: teamProviderAccess.id })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .innerJoin(teamProviderAccess, eq(teamProviderAccess.teamId, teams.id))
    .innerJoin(llmProviders, eq(llmProviders.id, teamProviderAccess.llmProviderId))
    .where(
      and(
        eq(teamMembers.tenantId, tenantId),
        eq(teamMembers.userId, users.id),
        teamMembers.isActive,
        teams.isActive,
        sql`cardinality(${teamProviderAccess.allowedModels}) > 0`,
        llmProviders.isActive,
      ),
    );
}

export interface ActivePerson {
  readonly id: number;
  readonly name: string;
  readonly isUser: boolean;
  readonly isService: boolean;
  /** Missing prerequisites for requests. Administrators need neither models nor a task. */
  readonly missing: User['missing'];
}

export async function listActivePeople(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<ActivePerson[]> {
  const rows = await selectReadiness(tx, tenantId, userId);
  return rows.map(({ id, name, role, kind, hasTask, hasModels }) => {
    const isUser = role === 'user';
    const missing: User['missing'] = [];
    if (isUser && !hasTask) missing.push('task');
    if (isUser && !hasModels) missing.push('models');
    return { id, name, isUser, isService: kind === 'service', missing };
  });
}

/** Inactive users and users with all prerequisites are absent. */
export async function findMissing(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<ReadonlyMap<number, User['missing']>> {
  const people = await listActivePeople(tx, tenantId, userId);
  return new Map(people.map(({ id, missing }) => [id, missing]));
}
