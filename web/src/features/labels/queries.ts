import { type LabelsOfSubject, labelsRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(labelsRoutes);

export interface Labeled {
  readonly kind: 'team' | 'user' | 'task';
  readonly id: number;
}

const getters = { team: calls.getTeamLabels, user: calls.getUserLabels, task: calls.getTaskLabels };
const setters = { team: calls.setTeamLabels, user: calls.setUserLabels, task: calls.setTaskLabels };

export const labelsQuery = ({ kind, id }: Labeled) =>
  queryOptions({
    queryKey: ['labels', kind, id],
    queryFn: ({ signal }) => getters[kind]({ params: { id } }, { signal }),
  });

export function useSetLabels({ kind, id }: Labeled) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: LabelsOfSubject) => setters[kind]({ params: { id }, body }),
    onSuccess: (saved) => queryClient.setQueryData(labelsQuery({ kind, id }).queryKey, saved),
  });
}
