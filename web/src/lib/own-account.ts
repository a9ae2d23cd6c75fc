import { modelsRoutes } from '@sluice/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createApiClient } from './api.ts';
import { currentUserQuery } from './session.ts';

const calls = createApiClient(modelsRoutes);

/** `takesImages` is `true` only if the model is known to accept images. */
export interface OwnModel {
  readonly id: string;
  readonly takesImages: boolean;
}

/** Excludes models that are known not to return text. */
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

/** Sends no request for visitors and blocked users, who may not use any model. */
export function useOwnModels() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  const mayList = user?.role.permissions.includes('models.read') ?? false;
  const { data: models, isPending, isError } = useQuery({ ...ownModelsQuery, enabled: mayList });
  return { models, isPending: mayList && isPending, isError, mayList };
}
