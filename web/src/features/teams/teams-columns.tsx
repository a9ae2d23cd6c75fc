import type { Team } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/data-table/column.ts';
import { ActiveMark } from '../../components/ui/active-mark.tsx';
import { statusOf } from '../../lib/active-status.ts';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './teams-columns.module.css';

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
      <span className={`${styles.clipped} ${styles.quiet}`} title={description ?? undefined}>
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
  {
    name: 'Created',
    width: '7.5rem',
    showFrom: 'wide',
    sortBy: (team) => team.created_at,
    cell: (team) => (
      <span className={`num ${styles.quiet}`} title={formatFullTime(team.created_at)}>
        {formatDay(team.created_at)}
      </span>
    ),
  },
];

function Name({ team }: { team: Team }) {
  return (
    <>
      <Link
        to="."
        search={(previous) => ({ ...previous, open: team.id })}
        className={styles.name}
        // The row itself is the tab stop; this is for new tabs and for screen readers.
        tabIndex={-1}
      >
        {team.name}
      </Link>
      <div className={styles.narrow}>
        <ActiveMark isActive={team.is_active} />
        <span className="num">{formatQuantity(team.member_count, 'member')}</span>
      </div>
    </>
  );
}
