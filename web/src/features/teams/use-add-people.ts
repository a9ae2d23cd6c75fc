import type { TeamMember } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { teamQuery, useAddMember } from './queries.ts';

interface Chosen {
  user_ids: readonly string[];
  role: TeamMember['role'];
}

export interface AddOutcome {
  addedCount: number;
  /** Number of users who were active members already. */
  skippedCount: number;
  failures: readonly { userId: string; error: unknown }[];
}

/** Returns a function that adds users to a team. A failure for one does not stop the others. */
export function useAddPeople(teamId: number): (chosen: Chosen) => Promise<AddOutcome> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useAddMember();
  return async ({ user_ids, role }) => {
    const { members = [] } = await queryClient.fetchQuery({ ...teamQuery(teamId), staleTime: 0 });
    const activeIds = new Set(members.filter(({ is_active }) => is_active).map(({ user_id }) => user_id));
    const newIds = user_ids.filter((userId) => !activeIds.has(Number(userId)));
    const add = (userId: string) =>
      mutateAsync({ params: { id: teamId }, body: { user_id: Number(userId), role } });
    const outcomes = await Promise.allSettled(newIds.map(add));
    const failures = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ userId: newIds[index] ?? '', error: outcome.reason }] : [],
    );
    return {
      addedCount: newIds.length - failures.length,
      skippedCount: user_ids.length - newIds.length,
      failures,
    };
  };
}
