import { analyticsRoutes, type Task, type TaskAssignment, tasksRoutes } from '@sluice/contract';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usersQuery } from '#features/users/index.ts';
import { createApiClient } from '#lib/api.ts';
import { describeSource } from '#lib/describe-failure.ts';

const calls = createApiClient(tasksRoutes);
const analyticsCalls = createApiClient(analyticsRoutes);

const refreshMs = 30_000;
const spendDays = 30;

export const tasksQuery = queryOptions({
  queryKey: ['tasks'],
  queryFn: ({ signal }) => calls.listTasks({ query: {} }, { signal }),
  refetchInterval: refreshMs,
});

export const assignmentsQuery = (id: number) =>
  queryOptions({
    queryKey: ['tasks', id, 'assignments'],
    queryFn: ({ signal }) => calls.listAssignmentsOfTask({ params: { id } }, { signal }),
    refetchInterval: refreshMs,
  });

export const taskDaysQuery = (id: number) =>
  queryOptions({
    queryKey: ['tasks', id, 'days'],
    queryFn: ({ signal }) =>
      analyticsCalls.listDailyUsage({ query: { days: spendDays, task_id: id } }, { signal }),
  });

/**
 * Never cached, because an administrator decides with the result. The key is outside `tasks`, or the deletion would
 * refetch the query.
 */
export const deletionImpactQuery = (id: number) =>
  queryOptions({
    queryKey: ['task-deletion-impact', id],
    queryFn: ({ signal }) => calls.getTaskDeletionImpact({ params: { id } }, { signal }),
    gcTime: 0,
    retry: false,
  });

export function useCreateTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Parameters<typeof calls.createTask>[0]) => calls.createTask(input),
    onSuccess: (created) => change(queryClient, (tasks) => [created, ...tasks]),
    onSettled: () => refresh(queryClient),
  });
}

export function useUpdateTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Parameters<typeof calls.updateTask>[0]) => calls.updateTask(input),
    onSuccess: (changed) =>
      change(queryClient, (tasks) => tasks.map((task) => (task.id === changed.id ? changed : task))),
    onSettled: () => refresh(queryClient),
  });
}

/** The list updates immediately and is restored if the server rejects the change. */
export function useToggleTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Task) => calls.toggleTaskStatus({ params: { id } }),
    onMutate: async ({ id, is_active }) => {
      await queryClient.cancelQueries({ queryKey: tasksQuery.queryKey, exact: true });
      const before = queryClient.getQueryData(tasksQuery.queryKey);
      change(queryClient, (tasks) =>
        tasks.map((task) => (task.id === id ? { ...task, is_active: !is_active } : task)),
      );
      return { before };
    },
    onError: (_error, _task, held) => queryClient.setQueryData(tasksQuery.queryKey, held?.before),
    onSettled: () => refresh(queryClient),
  });
}

export function useDeleteTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Task) => calls.deleteTask({ params: { id } }),
    onSuccess: (_nothing, { id }) => change(queryClient, (tasks) => tasks.filter((task) => task.id !== id)),
    onSettled: () => refresh(queryClient),
  });
}

export function useAssignTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Parameters<typeof calls.createTaskAssignment>[0]) =>
      calls.createTaskAssignment(input),
    onSettled: () => refresh(queryClient),
  });
}

interface StatusChange {
  assignment: TaskAssignment;
  status: TaskAssignment['status'];
}

export function useChangeAssignment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ assignment: { id }, status }: StatusChange) =>
      status === 'cancelled'
        ? calls.deleteTaskAssignment({ params: { id } })
        : calls.updateTaskAssignment({ params: { id }, body: { status } }),
    onSettled: () => refresh(queryClient),
  });
}

const change = (queryClient: QueryClient, toNext: (tasks: readonly Task[]) => Task[]) =>
  queryClient.setQueryData(tasksQuery.queryKey, (tasks) => tasks && toNext(tasks));

/** Refetches the list and dependent data. */
const refresh = (queryClient: QueryClient) => queryClient.invalidateQueries(tasksQuery);

export function usePeople() {
  const users = useQuery(usersQuery);
  return { people: users.data, ...describeSource(users, 'Failed to fetch available users') };
}

export type PeopleSource = ReturnType<typeof usePeople>;
