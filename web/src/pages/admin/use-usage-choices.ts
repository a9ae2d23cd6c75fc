import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { lazyFile, usePreload } from '#lib/lazy-part.tsx';

/** Loaded separately, so that the figures appear first. */
const load = lazyFile(() => import('./usage-choices.ts'));
const none = { teams: [], tasks: [], models: [], providers: [] };

/**
 * Returns the filter options for team, task, model and provider. The options are loaded on the first interaction with
 * the page. A list that contains the name of a filter in the URL is loaded immediately.
 */
export function useUsageChoices() {
  const queryClient = useQueryClient();
  const { team, task, provider } = useSearch({ strict: false });
  const [isUsed, setUsed] = useState(false);
  usePreload(async () => setUsed(true));
  const needed = {
    teams: isUsed || team !== undefined,
    tasks: isUsed || task !== undefined,
    instances: isUsed || provider !== undefined,
  };
  const { data = none } = useQuery({
    queryKey: ['usage-choices', needed],
    queryFn: async () => (await load()).loadUsageChoices(queryClient, needed),
    enabled: Object.values(needed).includes(true),
    placeholderData: keepPreviousData,
  });
  return data;
}
