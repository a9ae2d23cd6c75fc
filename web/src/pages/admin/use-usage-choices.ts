import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { llmProvidersQuery } from '#features/llm-providers/queries.ts';
import { tasksQuery } from '#features/tasks/queries.ts';
import { teamsQuery } from '#features/teams/queries.ts';
import { providerNameOf } from '#lib/provider-registry.ts';

/** Loads the teams, tasks, models and providers by which the log and the analytics are filtered. */
export function useUsageChoices() {
  const { data: teams } = useQuery(teamsQuery);
  const { data: tasks } = useQuery({ ...tasksQuery, refetchInterval: false });
  const { data: instances } = useQuery(llmProvidersQuery);
  return useMemo(() => {
    const keys = [...new Set(instances?.map(({ provider_key }) => provider_key))];
    return {
      teams: teams?.map(({ id, name }) => ({ id, name })) ?? [],
      tasks: tasks?.map(({ id, title }) => ({ id, name: title })) ?? [],
      models: [...new Set(instances?.flatMap(({ enabled_models }) => enabled_models))].toSorted(),
      providers: keys.map((key) => ({ key, name: providerNameOf(key) })),
    };
  }, [teams, tasks, instances]);
}
