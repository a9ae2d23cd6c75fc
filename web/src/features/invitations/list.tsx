import { Button } from '@mantine/core';
import type { Invitation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { describeFailure } from '../../lib/describe-failure.ts';
import { useInvitationActions } from './actions.ts';
import { invitationColumns } from './columns.tsx';
import { type InvitationStatus, invitationsQuery } from './queries.ts';
import { InvitationFilter } from './status-filter.tsx';

interface InvitationListProps {
  state: TableState;
  status: InvitationStatus | undefined;
  onStatus: (status: InvitationStatus | undefined) => void;
  onShowAll: () => void;
  onInvite: () => void;
}

/** List of invitations with their status. */
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
