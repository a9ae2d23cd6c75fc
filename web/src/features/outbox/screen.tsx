import { Button } from '@mantine/core';
import type { Mail } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '../../components/data-table/export-dialog-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import { type DataTableModel, useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { useMailActions } from './actions.ts';
import { outboxColumns } from './columns.tsx';
import { outboxExport, outboxQuery } from './queries.ts';
import { type OutboxSearch, outboxSearch } from './search.ts';

/** Mails of the tenant, with the links of unsent ones. */
export function OutboxScreen() {
  const state = useTableState(outboxSearch);
  const mails = useQuery(outboxQuery(state.search));
  const model = useDataTable({
    columns: outboxColumns,
    rows: mails.data,
    rowKey,
    state,
    filteredBy: 'caller',
  });
  const actions = useMailActions();
  const isNarrowed = state.search.filter !== undefined;
  const failure = describeFailure(mails, 'The outbox could not be loaded');
  return (
    <>
      <PageHeader
        title="Outbox"
        subtitle="Mails to the users of this tenant, and links to forward when no mail server is set up"
      />
      <OutboxTools model={model} search={state.search} />
      <ListView
        model={model}
        label="Outbox"
        loadingText="Loading mails..."
        emptyText={isNarrowed ? 'No mails found' : 'No mails yet. Inviting a user creates the first one.'}
        emptyAction={
          isNarrowed ? (
            <Button variant="default" onClick={() => state.change({ filter: undefined })}>
              Show all mails
            </Button>
          ) : (
            <InvitationsLink />
          )
        }
        failure={failure}
        actions={actions}
        nameOf={({ to_address }) => to_address}
        isPage
      />
    </>
  );
}

interface OutboxToolsProps {
  model: DataTableModel<Mail>;
  search: OutboxSearch;
}

function OutboxTools({ model, search }: OutboxToolsProps) {
  return (
    <ListTools
      search={
        <FilterField state={model.state} label="Search mails" placeholder="Search by address or subject..." />
      }
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportDialogButton content={outboxExport(search)} />
        </>
      }
    />
  );
}

const rowKey = ({ id }: Mail) => id;

function InvitationsLink() {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/admin/users" search={{ tab: 'invitations' }} />}
    >
      Open Invitations
    </Button>
  );
}
