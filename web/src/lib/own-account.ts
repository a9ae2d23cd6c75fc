import { modelsRoutes } from '@sluice/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createApiClient } from './api.ts';
import { currentUserQuery } from './session.ts';

const calls = createApiClient(modelsRoutes);

/** A model that can be used, and whether it is known to accept images. */
export interface OwnModel {
  readonly id: string;
  readonly takesImages: boolean;
}

/**
 * Returns the models that the user may use in the chat: all except those known to return something other than text.
 */
const ownModelsQuery = queryOptions({
  queryKey: ['own-models'],
  queryFn: async ({ signal }): Promise<OwnModel[]> => {
    const { data } = await calls.listModels({ query: {} }, { signal });
    return data.filter(writesText).map(toOwnModel);
  },
});

function writesText(model: { readonly id: string; readonly output_modalities?: readonly string[] }): boolean {
  return model.output_modalities?.includes('text') ?? true;
}

function toOwnModel(model: { id: string; input_modalities?: readonly string[] }): OwnModel {
  return { id: model.id, takesImages: model.input_modalities?.includes('image') ?? false };
}

/** Loads the user's models. No request is sent for visitors, or for blocked users, who may use none. */
export function useOwnModels() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  const mayList = user?.role.permissions.includes('models.read') ?? false;
  const { data: models, isPending, isError } = useQuery({ ...ownModelsQuery, enabled: mayList });
  return { models, isPending: mayList && isPending, isError, mayList };
}
