import type { Team } from '@sluice/contract';
import { NarrowOnly, RowLink, timeColumn } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { ActiveMark } from '../../components/ui/active-mark.tsx';
import { statusOf } from '../../lib/active-status.ts';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';

export const teamsColumns: readonly Column<Team>[] = [
  {
    name: 'Team Name',
    isPinned: true,
    isHideable: false,
    sortBy: ({ name }) => name,
    cell: (team) => <Name team={team} />,
  },
  {
    name: 'Description',
    width: '32%',
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
    width: '6rem',
    align: 'end',
    showFrom: 'medium',
    sortBy: (team) => team.member_count,
    cell: (team) => <span className="num">{formatCount(team.member_count)}</span>,
  },
  {
    name: 'Admins',
    width: '5.5rem',
    align: 'end',
    showFrom: 'wide',
    sortBy: (team) => team.admin_count,
    cell: (team) => <span className="num">{formatCount(team.admin_count)}</span>,
  },
  {
    name: 'Status',
    width: '7rem',
    showFrom: 'medium',
    sortBy: statusOf,
    cell: (team) => <ActiveMark isActive={team.is_active} />,
  },
  timeColumn('Created', ({ created_at }) => created_at),
];

function Name({ team }: { team: Team }) {
  return (
    <>
      <RowLink id={team.id}>{team.name}</RowLink>
      <NarrowOnly>
        <ActiveMark isActive={team.is_active} />
        <span className="num">{formatQuantity(team.member_count, 'member')}</span>
      </NarrowOnly>
    </>
  );
}
