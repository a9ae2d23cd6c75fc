import type { TaskAssignment } from '@sluice/contract';
import { ActionButtons } from '../../components/data-table/action-buttons.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { NameLine, SecondLine } from '../../components/ui/lines.tsx';
import { QuotaBar } from '../../components/ui/quota-bar.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './assignment-row.module.css';

interface AssignmentRowProps {
  assignment: TaskAssignment;
  actions: readonly RowAction<TaskAssignment>[];
}

/** One assignment: user, dates, usage and actions. */
export function AssignmentRow({ assignment, actions }: AssignmentRowProps) {
  return (
    <li>
      <div className={styles.head}>
        <div className={styles.person}>
          <NameLine>{assignment.user_name}</NameLine>
          <SecondLine title={assignment.user_email}>{assignment.user_email}</SecondLine>
        </div>
        <ActionButtons row={assignment} rowName={assignment.user_name} actions={actions} />
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
