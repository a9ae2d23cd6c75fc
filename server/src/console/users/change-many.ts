import type { changeUsersBody, UsersChange } from '@sluice/contract';
import type { z } from 'zod';
import { grantEnabledModels } from '#console/provider-access/grant-enabled-models.ts';
import { createTaskAssignment } from '#console/tasks/assignments.ts';
import { addTeamMember } from '#console/teams/change.ts';
import { attempt } from '#db/attempt.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { blockUser, unblockUser } from './block.ts';
import { updateUser } from './update.ts';

/** Makes the same change to many users in one transaction, and returns the rejection of each, or `null`. */
export function changeUsers(
  ctx: SignedInContext,
  { user_ids: userIds, change }: z.output<typeof changeUsersBody>,
): Promise<{ index: number; error: string | null }[]> {
  return ctx.inTenant(async (tx) => {
    const part: SignedInContext = { ...ctx, inTenant: (work) => work(tx) };
    const outcomes = new Map<number, string | null>();
    // In a fixed order, so that two calls for the same users do not wait for each other in a circle.
    for (const userId of [...new Set(userIds)].toSorted((one, other) => one - other)) {
      const rejection = await attempt(tx, () => changeOne(part, userId, change));
      outcomes.set(userId, rejection?.message ?? null);
    }
    return userIds.map((userId, index) => ({ index, error: outcomes.get(userId) ?? null }));
  });
}

function changeOne(ctx: SignedInContext, userId: number, change: UsersChange): Promise<unknown> {
  switch (change.kind) {
    case 'limits': {
      const { kind: _kind, ...limits } = change;
      return updateUser(ctx, userId, limits);
    }
    case 'team':
      return addTeamMember(ctx, change.team_id, { user_id: userId, role: 'member' });
    case 'task':
      return createTaskAssignment(ctx, { task_id: change.task_id, user_id: userId, progress_notes: '' });
    case 'models':
      return grantEnabledModels(ctx, { userId, llmProviderId: change.llm_provider_id });
    case 'block':
      return blockUser(ctx, userId, change.reason);
    case 'unblock':
      return unblockUser(ctx, userId);
  }
}
