import type { Task } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useDialogs } from '../../lib/use-dialogs.ts';
import { useToggleTask } from './queries.ts';
import { listTaskActions } from './row-actions.ts';

type DialogKind = 'create' | 'edit' | 'assign' | 'delete';

/** Actions of the tasks page, and the dialog that is open. */
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
