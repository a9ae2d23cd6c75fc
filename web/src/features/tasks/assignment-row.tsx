import type { Task, TaskAssignment } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import { type RowAction, RowActions } from '#components/data-table/row-actions.tsx';
import { AssignAgainIcon, CompleteIcon, RemovePersonIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { QuotaBar } from '#components/ui/quota-bar.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatDay, formatFullTime } from '#lib/format-time.ts';
import styles from './assignment-row.module.css';
import { useChangeAssignment } from './queries.ts';

interface AssignmentRowProps {
  assignment: TaskAssignment;
  actions: readonly RowAction<TaskAssignment>[];
}

export function AssignmentRow({ assignment, actions }: AssignmentRowProps) {
  return (
    <li>
      <div className={styles.head}>
        <div className={styles.person}>
          <NameLine>{assignment.user_name}</NameLine>
          <SecondLine title={assignment.user_email}>{assignment.user_email}</SecondLine>
        </div>
        <RowActions row={assignment} rowName={assignment.user_name} actions={actions} isTabStop />
      </div>
      <div className={`num ${styles.status}`}>
        <AssignmentStatus assignment={assignment} />
        <SecondLine title={describeBeginning(assignment)}>
          Assigned {formatDay(assignment.assigned_at)}
        </SecondLine>
        {assignment.completion_date !== null && (
          <SecondLine>Ended {formatDay(assignment.completion_date)}</SecondLine>
        )}
      </div>
      <Usage assignment={assignment} />
      {assignment.progress_notes !== '' && (
        <p className={`quiet ${styles.notes}`}>{assignment.progress_notes}</p>
      )}
    </li>
  );
}

const marks = {
  active: { kind: 'ok', word: 'Active' },
  completed: { kind: 'off', word: 'Completed' },
  cancelled: { kind: 'off', word: 'Unassigned' },
} as const;

function AssignmentStatus({ assignment: { is_blocked, status } }: { assignment: TaskAssignment }) {
  const { kind, word } = marks[status];
  return (
    <>
      <StatusMark kind={kind}>{word}</StatusMark>
      {is_blocked && <StatusMark kind="bad">Blocked</StatusMark>}
    </>
  );
}

function Usage({ assignment }: { assignment: TaskAssignment }) {
  const { tokens_used: used, token_limit: limit, total_requests: requests } = assignment;
  return (
    <div className={`num ${styles.usage}`}>
      <div className={styles.stats}>
        <span>
          <strong>{formatCount(used)}</strong>
          {limit === null ? ' tokens, unlimited' : ` of ${formatCount(limit)} tokens`}
        </span>
        <SecondLine>
          {formatQuantity(requests, 'request')}
          {assignment.last_request_at !== null && (
            <>
              , last <Time value={assignment.last_request_at} />
            </>
          )}
        </SecondLine>
      </div>
      <QuotaBar used={used} limit={limit} />
    </div>
  );
}

const describeBeginning = ({ assigned_at, assigned_by_name }: TaskAssignment) =>
  `${formatFullTime(assigned_at)}${assigned_by_name === null ? '' : ` by ${assigned_by_name}`}`;

type Status = TaskAssignment['status'];

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
        isFrequent: true,
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
        isFrequent: true,
        run: (assignment) =>
          change(assignment, 'active', `${assignment.user_name} is assigned to ${title} again`),
        isHidden: ({ status }) => status === 'active',
      },
    ];
  }, [confirm, change, title]);
}

const askToUnassign = ({ user_name, user_id, task_id }: TaskAssignment, title: string) => ({
  title: `Unassign ${user_name} from ${title}?`,
  message: 'Their requests for this task will be refused. Their usage so far still counts.',
  inUse: { of: { task_id, user_id } },
  confirmLabel: 'Unassign',
  isDanger: true,
});
