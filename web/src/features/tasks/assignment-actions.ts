import type { Task, TaskAssignment } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { AssignAgainIcon, CompleteIcon, RemovePersonIcon } from '../../components/ui/action-icons.ts';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { useChangeAssignment } from './queries.ts';

type Status = TaskAssignment['status'];

/** Actions on the assignments of a task. */
export function useAssignmentActions(task: Task): readonly RowAction<TaskAssignment>[] {
  const confirm = useConfirm();
  const { mutate } = useChangeAssignment();
  const { title } = task;
  const change = useCallback(
    (assignment: TaskAssignment, status: Status, success: string) =>
      mutate(
        { assignment, status },
        {
          onSuccess: () => showSuccess(success),
          onError: (error) => showError(messageOf(error, 'Failed to update assignment')),
        },
      ),
    [mutate],
  );
  return useMemo(() => {
    const unassign = async (assignment: TaskAssignment) => {
      if (!(await confirm(askToUnassign(assignment, title)))) return;
      change(assignment, 'cancelled', `${assignment.user_name} was unassigned from ${title}`);
    };
    return [
      {
        name: 'Complete',
        icon: CompleteIcon,
        run: (assignment) =>
          change(assignment, 'completed', `${assignment.user_name} has completed ${title}`),
        isHidden: ({ status }) => status !== 'active',
      },
      {
        name: 'Unassign',
        icon: RemovePersonIcon,
        run: (assignment) => void unassign(assignment),
        isDangerous: true,
        isHidden: ({ status }) => status !== 'active',
      },
      {
        name: 'Assign again',
        icon: AssignAgainIcon,
        run: (assignment) => change(assignment, 'active', `${assignment.user_name} works on ${title} again`),
        isHidden: ({ status }) => status === 'active',
      },
    ];
  }, [confirm, change, title]);
}

const askToUnassign = ({ user_name }: TaskAssignment, title: string) => ({
  title: `Unassign ${user_name} from ${title}?`,
  message: 'Their requests for this task are refused from now on. What they have used stays counted.',
  confirmLabel: 'Unassign',
  isDanger: true,
});
