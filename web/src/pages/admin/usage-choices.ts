import type { QueryClient } from '@tanstack/react-query';
import { llmProvidersQuery } from '#features/llm-providers/queries.ts';
import { tasksQuery } from '#features/tasks/queries.ts';
import { teamsQuery } from '#features/teams/queries.ts';
import { providerNameOf } from '#lib/provider-registry.ts';

const staleTime = 30_000;

export interface NeededLists {
  readonly teams: boolean;
  readonly tasks: boolean;
  readonly instances: boolean;
}

export async function loadUsageChoices(queryClient: QueryClient, needed: NeededLists) {
  const [teams, tasks, instances] = await Promise.all([
    needed.teams ? queryClient.fetchQuery({ ...teamsQuery, staleTime }) : [],
    needed.tasks ? queryClient.fetchQuery({ ...tasksQuery, staleTime }) : [],
    needed.instances ? queryClient.fetchQuery({ ...llmProvidersQuery, staleTime }) : [],
  ]);
  const keys = [...new Set(instances.map(({ provider_key }) => provider_key))];
  return {
    teams: teams.map(({ id, name }) => ({ id, name })),
    tasks: tasks.map(({ id, title }) => ({ id, name: title })),
    models: [...new Set(instances.flatMap(({ enabled_models }) => enabled_models))].toSorted(),
    providers: keys.map((key) => ({ key, name: providerNameOf(key) })),
  };
}
