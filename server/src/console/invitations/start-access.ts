import type { StartAccess } from '@sluice/contract';
import { grantEnabledModels, requireEnabledModels } from '#console/provider-access/grant-enabled-models.ts';
import { createTaskAssignment } from '#console/tasks/assignments.ts';
import { createTask, requireTask } from '#console/tasks/change.ts';
import { addTeamMember } from '#console/teams/change.ts';
import { requireTeam } from '#console/teams/read.ts';
import { attempt } from '#db/attempt.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import type { PendingInvitation } from './store.ts';

type Part = (tx: TenantTransaction, author: Principal, userId: number) => Promise<unknown>;

/** Absent quotas use the defaults. */
export function quotasOf({ daily_quota, monthly_quota, requests_per_hour }: StartAccess) {
  return { dailyQuota: daily_quota, monthlyQuota: monthly_quota, requestsPerHour: requests_per_hour };
}

/** Skips access that can no longer be granted. */
export async function giveStartAccess(
  tx: SystemDatabase,
  invitation: PendingInvitation,
  userId: number,
): Promise<void> {
  const author = inviterOf(invitation);
  for (const part of partsOf(invitation.access)) await attempt(tx, () => part(tx, author, userId));
}

/** @throws ConsoleError 404 if the tenant does not have the task, team or provider */
export async function requireStartAccess(
  tx: TenantTransaction,
  inviter: Principal,
  { task_id, team_id, llm_provider_id }: StartAccess,
): Promise<void> {
  if (task_id !== undefined) await requireTask(tx, inviter.tenantId, task_id);
  if (team_id !== undefined) await requireTeam(tx, inviter, team_id);
  if (llm_provider_id !== undefined) await requireEnabledModels(tx, inviter.tenantId, llm_provider_id);
}

function partsOf({ task_id, has_api_access, team_id, llm_provider_id }: StartAccess): Part[] {
  const parts: (Part | undefined | false)[] = [
    task_id !== undefined &&
      ((tx, author, user_id) => createTaskAssignment(tx, author, { task_id, user_id, progress_notes: '' })),
    has_api_access && ((tx, author, user_id) => createTask(tx, author, { is_dummy_task: true, user_id })),
    team_id !== undefined &&
      ((tx, author, user_id) =>
        addTeamMember(tx, author, { teamId: team_id, body: { user_id, role: 'member' } })),
    llm_provider_id !== undefined &&
      ((tx, author, userId) => grantEnabledModels(tx, author, { userId, llmProviderId: llm_provider_id })),
  ];
  return parts.filter((part) => part !== undefined && part !== false);
}

/**
 * Returns the inviter with the administrator role, because an invitation is only pending while the inviter may assign
 * its role.
 */
function inviterOf({ tenantId, invitedBy, inviterName }: PendingInvitation): Principal {
  return {
    userId: invitedBy,
    tenantId,
    name: inviterName,
    email: '',
    role: 'admin',
    credential: { kind: 'session', sessionId: '' },
    blockedReason: null,
  };
}
