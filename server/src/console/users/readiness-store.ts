import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { llmProviders } from '#db/schema/llm-providers.ts';
import { roles } from '#db/schema/roles.ts';
import { taskAssignments } from '#db/schema/task-assignments.ts';
import { tasks } from '#db/schema/tasks.ts';
import { teamMembers } from '#db/schema/team-members.ts';
import { teamProviderAccess } from '#db/schema/team-provider-access.ts';
import { teams } from '#db/schema/teams.ts';
import { userProviderAccess } from '#db/schema/user-provider-access.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Returns which prerequisites of a first request each active user of a tenant has, or one user; by id. */
export function selectReadiness(tx: TenantTransaction, tenantId: number, userId?: number) {
  return tx
    .select({
      id: users.id,
      name: users.name,
      role: roles.name,
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

/** Selects an active task as the gateway applies it. */
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

/** Selects grants of an active team in which the user is active. */
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
