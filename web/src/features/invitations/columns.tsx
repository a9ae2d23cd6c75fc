import type { Invitation } from '@sluice/contract';
import { NarrowOnly, timeColumn } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { NameLine } from '../../components/ui/lines.tsx';
import { RoleBadge } from '../../components/ui/role-badge.tsx';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';
import { formatLabel } from '../../lib/format-label.ts';

const marks: Readonly<Record<Invitation['status'], StatusKind>> = {
  pending: 'pending',
  accepted: 'ok',
  expired: 'warn',
  cancelled: 'off',
};

export const invitationColumns: readonly Column<Invitation>[] = [
  {
    name: 'Email',
    isPinned: true,
    isHideable: false,
    sortBy: ({ email }) => email,
    cell: (invitation) => (
      <>
        <NameLine>{invitation.email}</NameLine>
        <NarrowOnly>
          <Status invitation={invitation} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Role',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ role }) => role,
    cell: ({ role }) => <RoleBadge name={role} />,
  },
  {
    name: 'Status',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: (invitation) => <Status invitation={invitation} />,
  },
  {
    name: 'Invited by',
    width: '18%',
    showFrom: 'wide',
    sortBy: ({ invited_by_name }) => invited_by_name ?? '',
    cell: ({ invited_by_name }) => <span className="quiet">{invited_by_name ?? 'Unknown'}</span>,
  },
  timeColumn('Sent', ({ created_at }) => created_at),
  timeColumn('Expires', ({ expires_at }) => expires_at, { showFrom: 'medium' }),
];

function Status({ invitation: { status } }: { invitation: Invitation }) {
  return <StatusMark kind={marks[status]}>{formatLabel(status)}</StatusMark>;
}
