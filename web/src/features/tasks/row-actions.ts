import type { Task } from '@sluice/contract';
import type { RowAction } from '../../components/data-table/row-action.ts';
import {
  ActivateIcon,
  AddPersonIcon,
  DeactivateIcon,
  DeleteIcon,
  EditIcon,
  PeopleIcon,
  ReassignIcon,
} from '../../components/ui/action-icons.ts';

export interface TaskHandlers {
  edit: (task: Task) => void;
  assign: (task: Task) => void;
  viewAssignments: (task: Task) => void;
  toggle: (task: Task) => void;
  remove: (task: Task) => void;
}

/** Actions of a task. An API access task cannot be reassigned. */
export function listTaskActions(handlers: TaskHandlers): readonly RowAction<Task>[] {
  const obstacle = ({ is_active }: Task) => (is_active ? null : 'The task is inactive');
  return [
    { name: 'Edit', icon: EditIcon, run: handlers.edit, isInline: true },
    {
      name: 'Assign',
      icon: AddPersonIcon,
      run: handlers.assign,
      isInline: true,
      obstacle,
      isHidden: ({ has_assignments }) => has_assignments,
    },
    {
      name: 'Reassign',
      icon: ReassignIcon,
      run: handlers.assign,
      isInline: true,
      obstacle,
      isHidden: ({ has_assignments, is_dummy_task }) => !has_assignments || is_dummy_task,
    },
    { name: 'View assignments', icon: PeopleIcon, run: handlers.viewAssignments, isInline: true },
    {
      name: 'Deactivate',
      icon: DeactivateIcon,
      run: handlers.toggle,
      isHidden: ({ is_active }) => !is_active,
    },
    { name: 'Activate', icon: ActivateIcon, run: handlers.toggle, isHidden: ({ is_active }) => is_active },
    { name: 'Delete', icon: DeleteIcon, run: handlers.remove, isDangerous: true },
  ];
}
