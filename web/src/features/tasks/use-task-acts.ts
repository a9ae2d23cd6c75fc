import type { Task } from '@sluice/contract';
import { useCallback, useMemo, useState } from 'react';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { listTaskActions } from './task-actions.ts';
import { useToggleTask } from './tasks-queries.ts';

type DialogKind = 'create' | 'edit' | 'assign' | 'delete';

/** What can be done on the page of tasks, and which dialog is open about which. */
export function useTaskActs(onViewAssignments: (task: Task) => void) {
  const [{ kind, task }, setDialog] = useState<{ kind: DialogKind | null; task: Task | null }>({
    kind: null,
    task: null,
  });
  const { mutate: sendToggle } = useToggleTask();
  const open = useCallback(
    (opened: DialogKind, about: Task | null = null) => setDialog({ kind: opened, task: about }),
    [],
  );
  // The task outlives the closing, so that the dialog fades out with what it is about.
  const close = useCallback(() => setDialog((before) => ({ ...before, kind: null })), []);
  const toggle = useCallback(
    (about: Task) =>
      sendToggle(about, {
        onSuccess: ({ title, is_active }) => showSuccess(`${title} is ${is_active ? 'active' : 'inactive'}`),
        onError: (error) => showError(messageOf(error, 'Failed to update task status')),
      }),
    [sendToggle],
  );
  const actions = useMemo(
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
  return {
    actions,
    task,
    isOpen: kind !== null,
    open,
    toggle,
    propsOf: (asked: DialogKind) => ({
      isOpen: kind === asked,
      onClose: close,
    }),
  };
}

export type TaskActs = ReturnType<typeof useTaskActs>;
