import { apiKeysRoutes, providerAccessRoutes, tasksRoutes, teamsRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createApiClient } from '#lib/api.ts';
import type { AccessChoices, AccessPlan, AccessSubject } from './plan.ts';

const apiKeys = createApiClient(apiKeysRoutes);
const providerAccess = createApiClient(providerAccessRoutes);
const tasks = createApiClient(tasksRoutes);
const teams = createApiClient(teamsRoutes);

export type AccessOptions = Omit<AccessChoices, 'hasKey'>;

async function loadOptions(signal: AbortSignal): Promise<AccessOptions> {
  const [allTasks, allTeams, providers] = await Promise.all([
    tasks.listTasks({ query: { is_active: 'true' } }, { signal }),
    providerAccess.listGrantableTeams(undefined, { signal }),
    providerAccess.listGrantableProviders(undefined, { signal }),
  ]);
  return {
    tasks: allTasks.filter(({ is_dummy_task }) => !is_dummy_task),
    teams: allTeams,
    providers: providers.filter(({ is_active, enabled_models }) => is_active && enabled_models.length > 0),
  };
}

/** Tasks, teams and models that administrators can grant to any user. */
export const accessOptionsQuery = queryOptions({
  queryKey: ['access-setup', 'options'],
  queryFn: ({ signal }) => loadOptions(signal),
  // A refetch would change the options while the administrator chooses.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

export const accessChoicesQuery = (userId: number) =>
  queryOptions({
    queryKey: ['access-setup', userId],
    queryFn: async ({ signal }): Promise<AccessChoices> => {
      const [options, { api_key_status: key }] = await Promise.all([
        loadOptions(signal),
        apiKeys.getUserApiKey({ params: { id: userId } }, { signal }),
      ]);
      return { ...options, hasKey: key?.is_active === true && !key.is_expired };
    },
    // A refetch would change the options while the administrator chooses.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const changedKeys = [
  'users',
  'service-accounts',
  'tasks',
  'teams',
  'provider-access',
  'user-api-key',
  'first-steps',
];

export function useGiveAccess(user: AccessSubject) {
  const queryClient = useQueryClient();
  const done = useRef(new Set<Part>());
  const [failedPart, setFailedPart] = useState<Part>('task');
  const once = async (part: Part, work: () => Promise<unknown>) => {
    if (done.current.has(part)) return;
    setFailedPart(part);
    await work();
    done.current.add(part);
  };
  const giving = useMutation({
    mutationFn: async ({ task, models, hasKey }: AccessPlan) => {
      if (task !== null) await once('task', () => assignTask(user.id, task));
      if (models !== null) await once('models', () => grantModels(user.id, models));
      setFailedPart('key');
      const { providers: permitted } = await providerAccess.listUserProviders({
        params: { userId: user.id },
      });
      // The key is created last, because its secret is shown once and would be lost if a later part failed.
      const key = hasKey ? await apiKeys.createUserApiKey({ params: { id: user.id } }) : null;
      return { secret: key?.api_key ?? null, permitted };
    },
    onSettled: () => {
      for (const key of changedKeys) void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
  return { ...giving, failedPart };
}

type Part = 'task' | 'models' | 'key';

const assignTask = (userId: number, task: NonNullable<AccessPlan['task']>) =>
  task === 'api-access'
    ? tasks.createTask({ body: { is_dummy_task: true, user_id: userId } })
    : tasks.createTaskAssignment({ body: { task_id: task, user_id: userId } });

const grantModels = (userId: number, models: NonNullable<AccessPlan['models']>) =>
  'teamId' in models
    ? teams.addTeamMember({ params: { id: models.teamId }, body: { user_id: userId } })
    : providerAccess.grantUserAccess({
        body: { user_id: userId, llm_provider_id: models.providerId, allowed_models: [...models.models] },
      });
