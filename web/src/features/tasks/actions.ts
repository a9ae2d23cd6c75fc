import type { Task } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import {
  ActivateIcon,
  AddPersonIcon,
  DeactivateIcon,
  DeleteIcon,
  EditIcon,
  PeopleIcon,
  ReassignIcon,
} from '#components/ui/action-icons.ts';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { isReassignable } from './filter-tasks.ts';
import { useToggleTask } from './queries.ts';

type DialogKind = 'create' | 'edit' | 'assign' | 'delete';

export function useTaskActions(onViewAssignments: (task: Task) => void) {
  const { about: task, ...dialogs } = useDialogs<DialogKind, Task>();
  const { open } = dialogs;
  const { mutate: sendToggle } = useToggleTask();
  const toggle = useCallback(
    (about: Task) =>
      sendToggle(about, {
        onSuccess: ({ title, is_active }) => showSuccess(`${title} is ${is_active ? 'active' : 'inactive'}`),
        onError: (error) => showError(messageOf(error, 'Failed to update task status')),
      }),
    [sendToggle],
  );
  const rowActions = useMemo(
    () =>
      listTaskActions({
        edit: (about) => open('edit', about),
        assign: (about) => open('assign', about),
        viewAssignments: onViewAssignments,
        toggle,
        remove: (about) => open('delete', about),
      }),
    [open, toggle, onViewAssignments],
  );
  return { ...dialogs, task, rowActions, toggle };
}

export type TaskActions = ReturnType<typeof useTaskActions>;

export interface TaskHandlers {
  edit: (task: Task) => void;
  assign: (task: Task) => void;
  viewAssignments: (task: Task) => void;
  toggle: (task: Task) => void;
  remove: (task: Task) => void;
}

/** An API access task cannot be reassigned. */
function listTaskActions(handlers: TaskHandlers): readonly RowAction<Task>[] {
  const obstacle = ({ is_active }: Task) => (is_active ? null : 'The task is inactive');
  return [
    {
      name: 'Activate',
      icon: ActivateIcon,
      run: handlers.toggle,
      isFrequent: true,
      isHidden: ({ is_active }) => is_active,
    },
    {
      name: 'Assign',
      icon: AddPersonIcon,
      run: handlers.assign,
      isFrequent: true,
      obstacle,
      isHidden: (task) => isReassignable(task) || (task.is_dummy_task && task.has_assignments),
    },
    {
      name: 'Reassign',
      icon: ReassignIcon,
      run: handlers.assign,
      isFrequent: true,
      obstacle,
      isHidden: (task) => !isReassignable(task) || task.is_dummy_task,
    },
    { name: 'Edit', icon: EditIcon, run: handlers.edit, isFrequent: true },
    { name: 'View assignments', icon: PeopleIcon, run: handlers.viewAssignments },
    {
      name: 'Deactivate',
      icon: DeactivateIcon,
      run: handlers.toggle,
      isHidden: ({ is_active }) => !is_active,
    },
    { name: 'Delete', icon: DeleteIcon, run: handlers.remove, isDangerous: true },
  ];
}
