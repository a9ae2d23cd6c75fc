import type { Task } from '@sluice/contract';
import { CircleCheck, CirclePause, Pencil, Trash2, UserPlus, UserRoundPen, Users } from 'lucide-react';
import type { RowAction } from '../../components/data-table/row-action.ts';

export interface TaskHandlers {
  edit: (task: Task) => void;
  assign: (task: Task) => void;
  viewAssignments: (task: Task) => void;
  toggle: (task: Task) => void;
  remove: (task: Task) => void;
}

/** What can be done to a task. An API access task has one person, who cannot be exchanged. */
export function listTaskActions(handlers: TaskHandlers): readonly RowAction<Task>[] {
  const obstacle = ({ is_active }: Task) => (is_active ? null : 'The task is inactive');
  return [
    { name: 'Edit', icon: Pencil, run: handlers.edit, isInline: true },
    {
      name: 'Assign',
      icon: UserPlus,
      run: handlers.assign,
      isInline: true,
      obstacle,
      isHidden: ({ has_assignments }) => has_assignments,
    },
    {
      name: 'Reassign',
      icon: UserRoundPen,
      run: handlers.assign,
      isInline: true,
      obstacle,
      isHidden: ({ has_assignments, is_dummy_task }) => !has_assignments || is_dummy_task,
    },
    { name: 'View assignments', icon: Users, run: handlers.viewAssignments, isInline: true },
    {
      name: 'Deactivate',
      icon: CirclePause,
      run: handlers.toggle,
      isHidden: ({ is_active }) => !is_active,
    },
    { name: 'Activate', icon: CircleCheck, run: handlers.toggle, isHidden: ({ is_active }) => is_active },
    { name: 'Delete', icon: Trash2, run: handlers.remove, isDangerous: true },
  ];
}
