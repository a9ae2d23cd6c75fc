import type { Task } from '@sluice/contract';
import { Check } from 'lucide-react';
import { ActiveMark, statusOf } from '#components/data-table/active-status.tsx';
import { NarrowOnly, RowLink, spendColumns } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { SecondLine } from '#components/ui/lines.tsx';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatLimit, formatQuantity } from '#lib/format-number.ts';
import { formatDay, formatFullTime } from '#lib/format-time.ts';
import styles from './columns.module.css';

export const tasksColumns: readonly Column<Task>[] = [
  {
    name: 'Task',
    isPinned: true,
    isHideable: false,
    minWidth: '11rem',
    sortBy: ({ title }) => title,
    cell: (task) => <Identity task={task} />,
  },
  {
    name: 'Category',
    width: '6.75rem',
    showFrom: 'medium',
    sortBy: ({ category }) => category,
    cell: ({ category }) => formatLabel(category),
  },
  {
    name: 'Difficulty',
    width: '5.75rem',
    showFrom: 'wide',
    sortBy: ({ difficulty_level }) => difficulties.indexOf(difficulty_level),
    csv: ({ difficulty_level }) => difficulty_level,
    cell: ({ difficulty_level }) => formatLabel(difficulty_level),
  },
  {
    name: 'Limits',
    width: '7.25rem',
    showFrom: 'medium',
    sortBy: ({ token_limit }) => token_limit ?? Number.MAX_VALUE,
    csv: describeLimits,
    cell: (task) => <Limits task={task} />,
  },
  {
    name: 'Usage',
    width: '6.25rem',
    showFrom: 'medium',
    sortBy: ({ total_requests }) => total_requests,
    csv: (task) =>
      `${formatQuantity(task.assigned_users_count, 'user')}, ${formatQuantity(task.total_requests, 'request')}`,
    cell: (task) => <Usage task={task} />,
  },
  {
    name: 'Assigned',
    width: '4.25rem',
    showFrom: 'wide',
    sortBy: ({ has_assignments }) => (has_assignments ? 'yes' : 'no'),
    cell: ({ has_assignments }) => <Assigned isAssigned={has_assignments} />,
  },
  {
    name: 'Status',
    width: '5rem',
    showFrom: 'medium',
    sortBy: statusOf,
    cell: (task) => <ActiveMark isActive={task.is_active} />,
  },
  ...spendColumns<Task>(),
];

const difficulties: readonly string[] = ['beginner', 'intermediate', 'advanced'];

function Identity({ task }: { task: Task }) {
  return (
    <>
      <RowLink id={task.id}>{task.title}</RowLink>
      <SecondLine>
        {task.is_dummy_task && <span className={styles.kind}>API access · </span>}
        <span className="num">{formatQuantity(task.estimated_hours, 'hour')}</span> ·{' '}
        <span className="num" title={formatFullTime(task.created_at)}>
          created {formatDay(task.created_at)}
        </span>
      </SecondLine>
      <NarrowOnly>
        <ActiveMark isActive={task.is_active} />
        <span className="num">{formatQuantity(task.assigned_users_count, 'user')}</span>
        <span className="num">{formatUsd(task.spend_usd_month)} this month</span>
      </NarrowOnly>
    </>
  );
}

function Limits({ task }: { task: Task }) {
  if (task.token_limit === null) return <span className="quiet">Unlimited</span>;
  return (
    <div className="num" title="Tokens per user / per request">
      {formatCount(task.token_limit)}
      {task.max_tokens_per_request !== null && (
        <SecondLine>{formatCount(task.max_tokens_per_request)} per request</SecondLine>
      )}
    </div>
  );
}

function Usage({ task }: { task: Task }) {
  const { assigned_users_count: people, total_requests: requests } = task;
  return (
    <div className="num">
      {formatQuantity(people, 'user')}
      <SecondLine>{formatQuantity(requests, 'request')}</SecondLine>
    </div>
  );
}

function Assigned({ isAssigned }: { isAssigned: boolean }) {
  if (!isAssigned) return <span className="visually-hidden">Not assigned</span>;
  return (
    <>
      <Check size={16} strokeWidth={2} aria-hidden className={styles.tick} />
      <span className="visually-hidden">Assigned</span>
    </>
  );
}

function describeLimits(task: Task): string {
  return `${formatLimit(task.token_limit)} / ${formatLimit(task.max_tokens_per_request)}`;
}
