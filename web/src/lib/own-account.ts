import { modelsRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(modelsRoutes);

/** A model that can be asked, and whether it is known to take pictures. */
export interface OwnModel {
  readonly id: string;
  readonly takesImages: boolean;
}

/** The models that the person may ask; embeddings are no answers. */
export const ownModelsQuery = queryOptions({
  queryKey: ['own-models'],
  queryFn: async ({ signal }): Promise<OwnModel[]> => {
    const { data } = await calls.listModels({ query: {} }, { signal });
    return data.filter(({ id }) => !/embed/i.test(id)).map(toOwnModel);
  },
});

function toOwnModel(model: { id: string; input_modalities?: readonly string[] }): OwnModel {
  return { id: model.id, takesImages: model.input_modalities?.includes('image') ?? false };
}

/** Their names alone. */
export const ownModelNamesQuery = {
  ...ownModelsQuery,
  select: (models: OwnModel[]) => models.map(({ id }) => id),
};
