import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { lazyFile, usePreload } from '#lib/lazy-part.tsx';

/** Loaded separately, so that the figures appear first. */
const load = lazyFile(() => import('./usage-choices.ts'));
const none = { teams: [], tasks: [], models: [], providers: [] };

/**
 * Returns the options of the filters by team, task, model and provider. They are loaded on the first interaction with
 * the page, or immediately if the URL has filters whose names are needed.
 */
export function useUsageChoices() {
  const queryClient = useQueryClient();
  const { team, task, provider } = useSearch({ strict: false });
  const [isUsed, setUsed] = useState(false);
  usePreload(async () => setUsed(true));
  const { data = none } = useQuery({
    queryKey: ['usage-choices'],
    queryFn: async () => (await load()).loadUsageChoices(queryClient),
    enabled: isUsed || [team, task, provider].some((value) => value !== undefined),
  });
  return data;
}
