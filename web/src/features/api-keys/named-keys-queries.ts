import {
  type ApiKey,
  apiKeysRoutes,
  type OwnApiKeys,
  providerAccessRoutes,
  settingsRoutes,
  tasksRoutes,
} from '@sluice/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { useOwnModels } from '#lib/own-account.ts';
import { isOpenTask, userTasksQuery } from '#lib/user-tasks.ts';
import type { NamedKeyBody } from './named-key-form.ts';

const calls = createApiClient(apiKeysRoutes);
const accessCalls = createApiClient(providerAccessRoutes);
const settingsCalls = createApiClient(settingsRoutes);
const tasksCalls = createApiClient(tasksRoutes);

interface KeyChoices {
  readonly models: readonly string[];
  readonly tasks: readonly { readonly id: number; readonly title: string }[];
}

/** Does not include the primary key. */
export interface NamedKeys {
  /** `undefined` while loading. */
  readonly keys: readonly ApiKey[] | undefined;
  readonly keysMax: number | undefined;
  readonly isFailed: boolean;
  readonly choices: KeyChoices;
  readonly mayCreate: boolean;
  mayEdit(key: ApiKey): boolean;
  mayRotate(key: ApiKey): boolean;
  create(body: NamedKeyBody): Promise<{ api_key: string }>;
  update(id: number, body: NamedKeyBody): Promise<unknown>;
  rotate(id: number, overlapSeconds: number): Promise<{ api_key: string }>;
  revoke(id: number): Promise<unknown>;
}

const keysOfUserQuery = (userId: number) =>
  queryOptions({
    queryKey: ['api-keys', userId],
    queryFn: ({ signal }) =>
      calls.listApiKeys({ query: { user_id: userId, state: 'usable', limit: 200 } }, { signal }),
  });

const choicesOfUserQuery = (userId: number) =>
  queryOptions({
    queryKey: ['api-keys', userId, 'choices'],
    queryFn: async ({ signal }) => {
      const [{ models }, assignments, { api_keys_per_user }] = await Promise.all([
        accessCalls.listPermittedModels({ params: { userId } }, { signal }),
        tasksCalls.listTaskAssignments(
          { query: { user_id: userId, status: 'active', limit: 200 } },
          { signal },
        ),
        settingsCalls.getSettings(undefined, { signal }),
      ]);
      return {
        models: models.map(({ model }) => model),
        tasks: assignments.map(({ task_id, task_title }) => ({ id: task_id, title: task_title })),
        keysMax: api_keys_per_user,
      };
    },
  });

const isListed = ({ kind, state }: ApiKey) =>
  kind !== 'primary' && (state === 'active' || state === 'superseded');

/** Refetches the keys after a failure too, because it may mean that the keys changed elsewhere. */
function useRefetching<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  return mutateAsync;
}

export function useKeysOfUser(userId: number, mayChange: boolean): NamedKeys {
  const { data, isError } = useQuery(keysOfUserQuery(userId));
  const { data: choices } = useQuery({ ...choicesOfUserQuery(userId), enabled: mayChange });
  const create = useRefetching((body: NamedKeyBody) =>
    calls.createApiKey({ body: { ...body, user_id: userId } }),
  );
  const update = useRefetching(({ id, body }: { id: number; body: NamedKeyBody }) =>
    calls.updateApiKey({ params: { id }, body }),
  );
  const rotate = useRefetching(({ id, overlap_seconds }: { id: number; overlap_seconds: number }) =>
    calls.rotateApiKey({ params: { id }, body: { overlap_seconds } }),
  );
  const revoke = useRefetching((id: number) => calls.revokeApiKey({ params: { id } }));
  const isChangeable = ({ kind, state }: ApiKey) => mayChange && kind === 'named' && state === 'active';
  return {
    keys: data?.filter(isListed),
    keysMax: choices?.keysMax,
    isFailed: isError,
    choices: choices ?? { models: [], tasks: [] },
    mayCreate: mayChange,
    mayEdit: isChangeable,
    mayRotate: isChangeable,
    create,
    update: (id, body) => update({ id, body }),
    rotate: (id, overlap_seconds) => rotate({ id, overlap_seconds }),
    revoke,
  };
}

const ownKeysQuery = queryOptions({
  queryKey: ['api-keys', 'own'],
  queryFn: ({ signal }): Promise<OwnApiKeys> => calls.listUserApiKeys(undefined, { signal }),
});

export function useOwnKeys(): NamedKeys {
  const { data, isError } = useQuery(ownKeysQuery);
  const { models = [] } = useOwnModels();
  const { data: assignments = [] } = useQuery(userTasksQuery);
  const create = useRefetching((body: NamedKeyBody) => calls.createOwnApiKey({ body }));
  const update = useRefetching(({ id, body }: { id: number; body: NamedKeyBody }) =>
    calls.updateOwnApiKey({ params: { id }, body }),
  );
  const rotate = useRefetching(({ id, overlap_seconds }: { id: number; overlap_seconds: number }) =>
    calls.rotateOwnApiKey({ params: { id }, body: { overlap_seconds } }),
  );
  const revoke = useRefetching((id: number) => calls.revokeOwnApiKey({ params: { id } }));
  const isChangeable = ({ kind, state }: ApiKey) => kind === 'named' && state === 'active';
  const tasks = assignments.filter(isOpenTask);
  return {
    keys: data?.api_keys.filter(isListed),
    keysMax: data?.named_keys_max,
    isFailed: isError,
    choices: {
      models: models.map(({ id }) => id),
      tasks: tasks.map(({ task_id, task_title }) => ({ id: task_id, title: task_title })),
    },
    mayCreate: data?.may_create ?? false,
    mayEdit: (key) => isChangeable(key) && data?.may_create === true && key.created_by === key.user_id,
    mayRotate: (key) => isChangeable(key) && data?.may_rotate === true,
    create,
    update: (id, body) => update({ id, body }),
    rotate: (id, overlap_seconds) => rotate({ id, overlap_seconds }),
    revoke,
  };
}
