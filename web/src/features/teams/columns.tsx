import type { Team } from '@sluice/contract';
import { ActiveMark, statusOf } from '#components/data-table/active-status.tsx';
import { NarrowOnly, RowLink, spendColumns, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { Line, SecondLine } from '#components/ui/lines.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatLimit, formatQuantity } from '#lib/format-number.ts';

export const teamsColumns: readonly Column<Team>[] = [
  {
    name: 'Team Name',
    isPinned: true,
    isHideable: false,
    minWidth: '10rem',
    sortBy: ({ name }) => name,
    cell: (team) => <Name team={team} />,
  },
  {
    name: 'Description',
    showFrom: 'medium',
    csv: ({ description }) => description,
    cell: ({ description }) => (
      <span className="quiet" title={description ?? undefined}>
        {description || 'No description'}
      </span>
    ),
  },
  {
    name: 'Members',
    width: '5rem',
    align: 'end',
    showFrom: 'medium',
    sortBy: (team) => team.member_count,
    cell: (team) => <span className="num">{formatCount(team.member_count)}</span>,
  },
  {
    name: 'Admins',
    width: '4.5rem',
    align: 'end',
    showFrom: 'wide',
    sortBy: (team) => team.admin_count,
    cell: (team) => <span className="num">{formatCount(team.admin_count)}</span>,
  },
  {
    name: 'Status',
    width: '5.5rem',
    showFrom: 'medium',
    sortBy: statusOf,
    cell: (team) => <ActiveMark isActive={team.is_active} />,
  },
  timeColumn('Created', ({ created_at }) => created_at, { width: '6.5rem' }),
  ...spendColumns<Team>(),
  {
    name: 'Top user',
    width: '6.75rem',
    showFrom: 'full',
    sortBy: ({ top_user }) => top_user?.user_name ?? null,
    cell: ({ top_user }) => <TopUser user={top_user} />,
  },
  {
    name: 'Models',
    width: '4.5rem',
    align: 'end',
    showFrom: 'full',
    sortBy: ({ model_count }) => model_count,
    cell: ({ model_count }) => <span className="num">{formatCount(model_count)}</span>,
  },
  {
    name: 'Member limits',
    width: '8rem',
    align: 'end',
    isExtra: true,
    sortBy: ({ members_monthly_quota }) => members_monthly_quota ?? Number.MAX_VALUE,
    csv: ({ members_monthly_quota }) => formatLimit(members_monthly_quota),
    cell: ({ members_monthly_quota }) => (
      <span className="num" title="Tokens per month of all active members">
        {formatLimit(members_monthly_quota)}
      </span>
    ),
  },
];

function TopUser({ user }: { user: Team['top_user'] }) {
  if (user === null) return <span className="quiet">None</span>;
  return (
    <>
      <Line title={user.user_name}>{user.user_name}</Line>
      <SecondLine>{formatUsd(user.spend_usd_month)}</SecondLine>
    </>
  );
}

function Name({ team }: { team: Team }) {
  return (
    <>
      <RowLink id={team.id}>{team.name}</RowLink>
      <NarrowOnly>
        <ActiveMark isActive={team.is_active} />
        <span className="num">{formatQuantity(team.member_count, 'member')}</span>
        <span className="num">{formatUsd(team.spend_usd_month)} this month</span>
      </NarrowOnly>
    </>
  );
}
