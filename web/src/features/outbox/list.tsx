import { Button } from '@mantine/core';
import type { Mail } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { showError, showMessage, showSuccess } from '../../components/ui/toasts.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { describeFailure } from '../../lib/describe-failure.ts';
import { messageOf } from '../../lib/message-of.ts';
import { outboxColumns } from './columns.tsx';
import { outboxQuery, useRetryMail } from './queries.ts';

/** The mails of the tenant, and the links of those that nobody has sent. */
export function OutboxList({ state }: { state: TableState }) {
  const mails = useQuery(outboxQuery);
  const model = useDataTable({ columns: outboxColumns, rows: mails.data, rowKey, state });
  const actions = useMailActions();
  const isNarrowed = state.search.filter !== undefined;
  const failure = describeFailure(mails, 'The outbox could not be loaded');
  return (
    <>
      <ListTools
        search={
          <FilterField state={state} label="Search mails" placeholder="Search by address or subject..." />
        }
        choices={
          <>
            <ColumnChooser model={model} />
            <ExportButton model={model} noun="mails" />
          </>
        }
      />
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
            <Button
              variant="default"
              renderRoot={(props) => <Link {...props} to="/admin/users" search={{ tab: 'invitations' }} />}
            >
              Open Invitations
            </Button>
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

const rowKey = ({ id }: Mail) => id;

function useMailActions(): readonly RowAction<Mail>[] {
  const { mutate: retry } = useRetryMail();
  return useMemo(
    () => [
      {
        name: 'Copy link',
        icon: Copy,
        isInline: true,
        isHidden: ({ link }) => link === null,
        run: ({ link }) => void copyLink(link ?? ''),
      },
      {
        name: 'Send again',
        icon: RotateCcw,
        isInline: true,
        isHidden: ({ status }) => status !== 'failed',
        run: ({ id, to_address }) =>
          retry(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`The mail to ${to_address} is queued again`),
              onError: (error) => showError(messageOf(error, 'Failed to send the mail again')),
            },
          ),
      },
    ],
    [retry],
  );
}

async function copyLink(link: string): Promise<void> {
  const isCopied = await copyText(link);
  showMessage(isCopied ? 'Link copied. Forward it safely.' : `Copy by hand: ${link}`);
}
