import { apiKeysRoutes, providerAccessRoutes, tasksRoutes, teamsRoutes, type User } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { createApiClient } from '../../lib/api.ts';
import type { AccessChoices, AccessPlan } from './plan.ts';

const apiKeys = createApiClient(apiKeysRoutes);
const providerAccess = createApiClient(providerAccessRoutes);
const tasks = createApiClient(tasksRoutes);
const teams = createApiClient(teamsRoutes);

/** What can be given to a person, and whether they have a key. */
export const accessChoicesQuery = (userId: number) =>
  queryOptions({
    queryKey: ['access-setup', userId],
    queryFn: async ({ signal }): Promise<AccessChoices> => {
      const [allTasks, allTeams, providers, { api_key_status: key }] = await Promise.all([
        tasks.listTasks({ query: { is_active: 'true' } }, { signal }),
        providerAccess.listGrantableTeams(undefined, { signal }),
        providerAccess.listGrantableProviders(undefined, { signal }),
        apiKeys.getUserApiKey({ params: { id: userId } }, { signal }),
      ]);
      return {
        tasks: allTasks.filter(({ is_dummy_task }) => !is_dummy_task),
        teams: allTeams,
        providers: providers.filter(
          ({ is_active, enabled_models }) => is_active && enabled_models.length > 0,
        ),
        hasKey: key?.is_active === true && !key.is_expired,
      };
    },
    // What was chosen shall not change under the hand that chooses.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Does what the plan says, one after the other; a repetition goes on where the last try has failed. */
export function useGiveAccess(user: User) {
  const queryClient = useQueryClient();
  const done = useRef(new Set<keyof AccessPlan>());
  const once = async (part: keyof AccessPlan, work: () => Promise<unknown>) => {
    if (done.current.has(part)) return;
    await work();
    done.current.add(part);
  };
  return useMutation({
    mutationFn: async ({ task, models, hasKey }: AccessPlan): Promise<string | null> => {
      if (task !== null) await once('task', () => giveTask(user.id, task));
      if (models !== null) await once('models', () => giveModels(user.id, models));
      if (!hasKey) return null;
      return (await apiKeys.createUserApiKey({ params: { id: user.id } })).api_key;
    },
    onSettled: () => {
      for (const key of ['users', 'tasks', 'teams', 'provider-access', 'user-api-key', 'first-steps']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

const giveTask = (userId: number, task: NonNullable<AccessPlan['task']>) =>
  task === 'api-access'
    ? tasks.createTask({ body: { is_dummy_task: true, user_id: userId } })
    : tasks.createTaskAssignment({ body: { task_id: task, user_id: userId } });

const giveModels = (userId: number, models: NonNullable<AccessPlan['models']>) =>
  'teamId' in models
    ? teams.addTeamMember({ params: { id: models.teamId }, body: { user_id: userId } })
    : providerAccess.grantUserAccess({
        body: { user_id: userId, llm_provider_id: models.providerId, allowed_models: [...models.models] },
      });
