import { Button } from '@mantine/core';
import type { Invitation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Ban, Send } from 'lucide-react';
import { useMemo } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { messageOf } from '../../lib/message-of.ts';
import { invitationColumns } from './columns.tsx';
import {
  type InvitationStatus,
  invitationsQuery,
  useCancelInvitation,
  useResendInvitation,
} from './queries.ts';
import { InvitationFilter } from './status-filter.tsx';

interface InvitationListProps {
  state: TableState;
  status: InvitationStatus | undefined;
  onStatus: (status: InvitationStatus | undefined) => void;
  onShowAll: () => void;
  onInvite: () => void;
}

/** Who was invited, and what became of it. */
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

function useInvitationActions(): readonly RowAction<Invitation>[] {
  const confirm = useConfirm();
  const { mutate: resend } = useResendInvitation();
  const { mutate: cancel } = useCancelInvitation();
  return useMemo(
    () => [
      {
        name: 'Resend',
        icon: Send,
        isInline: true,
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
        icon: Ban,
        isInline: true,
        isDangerous: true,
        isHidden: ({ status }) => status !== 'pending',
        run: async ({ id, email }) => {
          const isAgreed = await confirm({
            title: 'Cancel the invitation?',
            message: `The link that ${email} has will no longer work.`,
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
