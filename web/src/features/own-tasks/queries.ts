import { portalRoutes } from '@sluice/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';
import { userTasksQuery } from '../../lib/user-tasks.ts';

const calls = createApiClient(portalRoutes);

export function useSaveProgress() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, notes }: { id: number; notes: string }) =>
      calls.updateTaskProgress({ params: { id }, body: { progress_notes: notes } }),
    onSettled: () => queryClient.invalidateQueries(userTasksQuery),
  });
}

export function useCompleteTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => calls.completeTask({ params: { id }, body: {} }),
    onSettled: () => queryClient.invalidateQueries(userTasksQuery),
  });
}
