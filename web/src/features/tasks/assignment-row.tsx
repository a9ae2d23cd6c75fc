import type { TaskAssignment } from '@sluice/contract';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { UsageBar } from '../../components/ui/usage-bar.tsx';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './task-assignments.module.css';

interface AssignmentRowProps {
  assignment: TaskAssignment;
  actions: readonly RowAction<TaskAssignment>[];
}

/** One person's part in a task: since when, what they have used, and what can be done. */
export function AssignmentRow({ assignment, actions }: AssignmentRowProps) {
  return (
    <li className={styles.assignment}>
      <div className={styles.head}>
        <div className={styles.person}>
          <div className={styles.name}>{assignment.user_name}</div>
          <div className={styles.second} title={assignment.user_email}>
            {assignment.user_email}
          </div>
        </div>
        <div className={styles.acts}>
          {actions
            .filter(({ isHidden }) => !isHidden?.(assignment))
            .map(({ name, icon: Icon, run }) => (
              <button
                key={name}
                type="button"
                className={styles.act}
                aria-label={`${name}: ${assignment.user_name}`}
                title={name}
                onClick={() => run(assignment)}
              >
                <Icon size={16} strokeWidth={1.5} aria-hidden />
              </button>
            ))}
        </div>
      </div>
      <div className={`num ${styles.standing}`}>
        <Standing assignment={assignment} />
        <span className={styles.second} title={describeBeginning(assignment)}>
          Assigned {formatDay(assignment.assigned_at)}
        </span>
        {assignment.completion_date !== null && (
          <span className={styles.second}>Ended {formatDay(assignment.completion_date)}</span>
        )}
      </div>
      <Usage assignment={assignment} />
      {assignment.progress_notes !== '' && <p className={styles.notes}>{assignment.progress_notes}</p>}
    </li>
  );
}

const marks = {
  active: { kind: 'ok', word: 'Active' },
  completed: { kind: 'off', word: 'Completed' },
  cancelled: { kind: 'off', word: 'Unassigned' },
} as const;

function Standing({ assignment: { is_blocked, status } }: { assignment: TaskAssignment }) {
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
      <div className={styles.figures}>
        <span>
          <strong>{formatCount(used)}</strong>
          {limit === null ? ' tokens, unlimited' : ` of ${formatCount(limit)} tokens`}
        </span>
        <span className={styles.second}>
          {formatQuantity(requests, 'request')}
          {assignment.last_request_at !== null && (
            <>
              , last <Time value={assignment.last_request_at} />
            </>
          )}
        </span>
      </div>
      <UsageBar used={used} limit={limit} />
    </div>
  );
}

const describeBeginning = ({ assigned_at, assigned_by_name }: TaskAssignment) =>
  `${formatFullTime(assigned_at)}${assigned_by_name === null ? '' : ` by ${assigned_by_name}`}`;
