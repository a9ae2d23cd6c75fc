import type { BulkOutcomes, changeUsersBody, UsersChange } from '@sluice/contract';
import type { z } from 'zod';
import { grantEnabledModels } from '#console/provider-access/grant-enabled-models.ts';
import { createTaskAssignment } from '#console/tasks/assignments.ts';
import { addTeamMember } from '#console/teams/change.ts';
import { attempt } from '#db/attempt.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { blockUser, unblockUser } from './block.ts';
import { updateUser } from './update.ts';

/** Returns the reason for rejection per user, or `null` for accepted changes. */
export async function changeUsers(
  tx: TenantTransaction,
  author: Principal,
  { user_ids: userIds, change }: z.output<typeof changeUsersBody>,
): Promise<BulkOutcomes> {
  const outcomes = new Map<number, string | null>();
  // Use a fixed order to prevent deadlocks between concurrent calls for the same users.
  for (const userId of [...new Set(userIds)].toSorted((one, other) => one - other)) {
    const rejection = await attempt(tx, () => changeOne(tx, author, { userId, change }));
    outcomes.set(userId, rejection?.message ?? null);
  }
  return userIds.map((userId, index) => ({ index, error: outcomes.get(userId) ?? null }));
}

function changeOne(
  tx: TenantTransaction,
  author: Principal,
  { userId, change }: { readonly userId: number; readonly change: UsersChange },
): Promise<unknown> {
  switch (change.kind) {
    case 'limits': {
      const { kind: _kind, ...body } = change;
      return updateUser(tx, author, { userId, body });
    }
    case 'team':
      return addTeamMember(tx, author, { teamId: change.team_id, body: { user_id: userId, role: 'member' } });
    case 'task':
      return createTaskAssignment(tx, author, {
        task_id: change.task_id,
        user_id: userId,
        progress_notes: '',
      });
    case 'models':
      return grantEnabledModels(tx, author, { userId, llmProviderId: change.llm_provider_id });
    case 'block':
      return blockUser(tx, author, { userId, reason: change.reason });
    case 'unblock':
      return unblockUser(tx, author, userId);
  }
}
