import type { UserTask } from '@sluice/contract';
import { NarrowOnly, RowLink } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatLimit, formatShare, formatUse } from '#lib/format-number.ts';
import { formatDay, formatFullTime } from '#lib/format-time.ts';

const shownDescription = 100;
const marks: Readonly<Record<UserTask['status'], StatusKind>> = {
  active: 'ok',
  completed: 'off',
  cancelled: 'off',
};

export const taskHistoryColumns: readonly Column<UserTask>[] = [
  {
    name: 'Assigned',
    width: '7.5rem',
    showFrom: 'medium',
    sortBy: ({ assigned_at }) => assigned_at,
    cell: ({ assigned_at }) => (
      <span className="num quiet" title={formatFullTime(assigned_at)}>
        {formatDay(assigned_at)}
      </span>
    ),
  },
  {
    name: 'Task',
    isHideable: false,
    sortBy: ({ task_title }) => task_title,
    csv: ({ task_title, task_description }) => `${task_title}: ${shorten(task_description)}`,
    cell: (task) => (
      <>
        <RowLink id={task.id}>
          <NameLine>{task.task_title}</NameLine>
        </RowLink>
        <SecondLine title={task.task_description}>{shorten(task.task_description)}</SecondLine>
        <NarrowOnly>
          <SecondLine>Total: {formatUse(task.tokens_used, task.token_limit, 'tokens')}</SecondLine>
          <TaskCost task={task} />
          <TaskStatus status={task.status} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Category',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ task_category }) => task_category,
    cell: ({ task_category }) => formatLabel(task_category),
  },
  {
    name: 'Progress',
    width: '13.5rem',
    showFrom: 'medium',
    sortBy: ({ tokens_used }) => tokens_used,
    csv: formatProgress,
    cell: (task) => (
      <>
        <span className="num" title="Tokens used, token limit">
          {formatProgress(task)}
        </span>
        <SecondLine>
          <TaskCost task={task} />
        </SecondLine>
      </>
    ),
  },
  {
    name: 'Status',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <TaskStatus status={status} />,
  },
];

/** Example: `1,200 / 10,000 (12.0%)`. */
export function formatProgress({ tokens_used, token_limit }: UserTask): string {
  const share =
    token_limit === null || token_limit === 0 ? '' : ` (${formatShare(tokens_used / token_limit)})`;
  return `${formatCount(tokens_used)} / ${formatLimit(token_limit)}${share}`;
}

function TaskCost({ task: { spend_usd_month } }: { task: UserTask }) {
  return <span className="num">{formatUsd(spend_usd_month)} this month</span>;
}

export function TaskStatus({ status }: { status: UserTask['status'] }) {
  return <StatusMark kind={marks[status]}>{formatLabel(status)}</StatusMark>;
}

function shorten(text: string): string {
  return text.length > shownDescription ? `${text.slice(0, shownDescription)}…` : text;
}
