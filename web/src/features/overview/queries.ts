import {
  apiKeysRoutes,
  type CurrentUser,
  llmProvidersRoutes,
  logsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const apiKeysCalls = createApiClient(apiKeysRoutes);
const llmProvidersCalls = createApiClient(llmProvidersRoutes);
const logsCalls = createApiClient(logsRoutes);
const usersCalls = createApiClient(usersRoutes);

const lookAgainMs = 5000;
/** People whose keys are looked up, at most; one key is enough to know. */
const lookedUpMax = 10;

export const llmProvidersQuery = queryOptions({
  queryKey: ['llm-providers'],
  queryFn: ({ signal }) => llmProvidersCalls.listLlmProviders(undefined, { signal }),
});

/** The newest request; asks again until there is a first one. */
export const newestLogQuery = queryOptions({
  queryKey: ['logs', 'newest'],
  queryFn: ({ signal }) => logsCalls.listLogs({ query: { limit: 1 } }, { signal }),
  refetchInterval: (query) => (query.state.data?.length === 0 ? lookAgainMs : false),
});

export interface People {
  /** Names of those besides the reader, as far as they were looked up. */
  others: readonly string[];
  /** Somebody who holds a working API key. */
  keyHolder: string | undefined;
}

export const peopleQuery = (reader: CurrentUser) =>
  queryOptions({
    queryKey: ['overview', 'people', reader.id],
    queryFn: async ({ signal }): Promise<People> => {
      const users = await usersCalls.listUsers({ query: { limit: lookedUpMax } }, { signal });
      const keys = await Promise.all(
        users.map(({ id }) => apiKeysCalls.getUserApiKey({ params: { id } }, { signal })),
      );
      const holder = users.find((_, index) => {
        const key = keys[index]?.api_key_status;
        return key?.is_active && !key.is_expired;
      });
      return {
        others: users.filter(({ id }) => id !== reader.id).map(({ name }) => name),
        keyHolder: holder?.name,
      };
    },
  });
