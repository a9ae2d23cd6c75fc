import { Button } from '@mantine/core';
import type { Invitation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { NarrowOnly, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { CancelIcon, SendAgainIcon } from '#components/ui/action-icons.ts';
import { RoleBadge } from '#components/ui/badge.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import { CountChips } from '#components/ui/count-chips.tsx';
import { NameLine } from '#components/ui/lines.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import {
  type InvitationStatus,
  invitationStatsQuery,
  invitationsQuery,
  useCancelInvitation,
  useResendInvitation,
} from './queries.ts';

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
    minWidth: '14rem',
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
    width: '6.5rem',
    showFrom: 'medium',
    sortBy: ({ role }) => role,
    cell: ({ role }) => <RoleBadge name={role} />,
  },
  {
    name: 'Status',
    width: '7rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: (invitation) => <Status invitation={invitation} />,
  },
  {
    name: 'Invited by',
    width: '15%',
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

interface InvitationListProps {
  state: TableState;
  status: InvitationStatus | undefined;
  onStatus: (status: InvitationStatus | undefined) => void;
  onShowAll: () => void;
  onInvite: () => void;
}

export function InvitationList({ state, status, onStatus, onShowAll, onInvite }: InvitationListProps) {
  const invitations = useQuery(invitationsQuery(status));
  const { data: rows, isPlaceholderData } = invitations;
  const model = useDataTable({ columns: invitationColumns, rows, rowKey, state });
  const actions = useInvitationActions();
  const isNarrowed = status !== undefined || state.search.filter !== undefined;
  const failure = describeFailure(invitations, 'The invitations could not be loaded');
  return (
    <>
      <ListTools
        search={<FilterField state={state} label="Search invitations" placeholder="Search invitations..." />}
        filters={<InvitationFilter chosen={status} onChoose={onStatus} />}
        choices={
          <>
            <ColumnChooser model={model} />
            <ExportButton model={model} noun="invitations" />
          </>
        }
      />
      <ListView
        model={model}
        label="Invitations"
        loadingText="Loading invitations..."
        isStale={isPlaceholderData}
        emptyText={isNarrowed ? 'No invitations found' : 'No invitations yet'}
        emptyAction={
          isNarrowed ? (
            <Button variant="default" onClick={onShowAll}>
              Show all invitations
            </Button>
          ) : (
            <Button onClick={onInvite}>+ Invite User</Button>
          )
        }
        failure={failure}
        actions={actions}
        nameOf={({ email }) => email}
      />
    </>
  );
}

const rowKey = ({ id }: Invitation) => id;

interface InvitationFilterProps {
  chosen: InvitationStatus | undefined;
  onChoose: (status: InvitationStatus | undefined) => void;
}

/** If the counts could not be loaded, the labels have no counts. */
export function InvitationFilter({ chosen, onChoose }: InvitationFilterProps) {
  const { data: stats } = useQuery(invitationStatsQuery);
  const chips = [
    { label: 'Total', count: stats?.total, value: undefined },
    { label: 'Pending', count: stats?.pending, value: 'pending' },
    { label: 'Accepted', count: stats?.accepted, value: 'accepted' },
    { label: 'Expired', count: stats?.expired, value: 'expired' },
    { label: 'Cancelled', count: stats?.cancelled, value: 'cancelled' },
  ] as const;
  return (
    <CountChips<InvitationStatus | undefined>
      label="Invitations by status"
      chips={chips}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

export function useInvitationActions(): readonly RowAction<Invitation>[] {
  const confirm = useConfirm();
  const { mutate: resend } = useResendInvitation();
  const { mutate: cancel } = useCancelInvitation();
  return useMemo(
    () => [
      {
        name: 'Resend',
        icon: SendAgainIcon,
        isFrequent: true,
        isHidden: ({ status }) => status !== 'pending' && status !== 'expired',
        run: ({ id, email }) =>
          resend(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`${email} was invited again`),
              onError: (error) => showError(messageOf(error, 'Failed to resend invitation')),
            },
          ),
      },
      {
        name: 'Cancel',
        icon: CancelIcon,
        isDangerous: true,
        isHidden: ({ status }) => status !== 'pending',
        run: async ({ id, email }) => {
          const isAgreed = await confirm({
            title: 'Cancel the invitation?',
            message: `The invitation link of ${email} will no longer work.`,
            confirmLabel: 'Cancel invitation',
            cancelLabel: 'Keep it',
            isDanger: true,
          });
          if (!isAgreed) return;
          cancel(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`The invitation of ${email} is cancelled`),
              onError: (error) => showError(messageOf(error, 'Failed to cancel invitation')),
            },
          );
        },
      },
    ],
    [confirm, resend, cancel],
  );
}
