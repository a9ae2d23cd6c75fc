import { modelsRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(modelsRoutes);

/** The models that the person may ask; embeddings are no answers. */
export const ownModelsQuery = queryOptions({
  queryKey: ['own-models'],
  queryFn: async ({ signal }) => {
    const { data } = await calls.listModels({ query: {} }, { signal });
    return data.map(({ id }) => id).filter((id) => !/embed/i.test(id));
  },
});
