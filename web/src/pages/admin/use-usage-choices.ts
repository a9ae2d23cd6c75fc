import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { llmProvidersQuery } from '#features/llm-providers/queries.ts';
import { tasksQuery } from '#features/tasks/queries.ts';
import { teamsQuery } from '#features/teams/queries.ts';
import { usePreload } from '#lib/lazy-part.tsx';
import { providerNameOf } from '#lib/provider-registry.ts';

/**
 * Loads the teams, tasks, models and providers by which the log and the analytics are filtered: once somebody begins to
 * use the page, or at once for the names of filters in the URL.
 */
export function useUsageChoices() {
  const { team, task, provider } = useSearch({ strict: false });
  const [isUsed, setUsed] = useState(false);
  usePreload(async () => setUsed(true));
  const enabled = isUsed || [team, task, provider].some((value) => value !== undefined);
  const { data: teams } = useQuery({ ...teamsQuery, enabled });
  const { data: tasks } = useQuery({ ...tasksQuery, refetchInterval: false, enabled });
  const { data: instances } = useQuery({ ...llmProvidersQuery, enabled });
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
