import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '../../components/ui/failure.tsx';
import { QuotaBar } from '../../components/ui/quota-bar.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatCount, formatLimit } from '../../lib/format-number.ts';
import { userTasksQuery } from '../../lib/user-tasks.ts';
import styles from './active-tasks.module.css';

const shownMax = 3;

/** The first of the user's active tasks. */
export function ActiveTasks() {
  const answer = useQuery(userTasksQuery);
  const failure = describeFailure(answer, 'Failed to load tasks. Please try again.');
  const active = answer.data?.filter(({ status, is_task_active }) => status === 'active' && is_task_active);
  return (
    <section className={styles.panel} aria-label="Active tasks" aria-busy={answer.isPending}>
      <div className={styles.head}>
        <h2>Active Tasks</h2>
        <span>
          <Link to="/dashboard/tasks">View all tasks</Link>
        </span>
      </div>
      {failure && <Failure {...failure} />}
      {!failure && !active && <SkeletonLines count={3} />}
      {active?.length === 0 && (
        <p className="quiet">No active tasks. Your administrator assigns them to you.</p>
      )}
      <ul className={styles.list}>
        {active?.slice(0, shownMax).map(({ id, task_title, task_category, tokens_used, token_limit }) => (
          <li key={id}>
            <div className={styles.head}>
              <strong>{task_title}</strong>
              <span className="quiet">{formatLabel(task_category)}</span>
            </div>
            <QuotaBar used={tokens_used} limit={token_limit} />
            <p className="num quiet">
              {formatCount(tokens_used)} of {formatLimit(token_limit)} tokens
            </p>
            {token_limit !== null && tokens_used >= token_limit && (
              <p>
                <StatusMark kind="bad">Used up</StatusMark>: requests for this task are refused. Your
                administrator can raise its limit.
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
