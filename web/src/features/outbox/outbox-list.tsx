import type { Mail } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Copy, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { showError, showMessage, showSuccess } from '../../components/ui/toasts.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { describeFailure } from '../../lib/describe-failure.ts';
import { messageOf } from '../../lib/message-of.ts';
import { outboxColumns } from './outbox-columns.tsx';
import { outboxQuery, useRetryMail } from './outbox-queries.ts';

/** The mails of the tenant, and the links of those that nobody has sent. */
export function OutboxList({ state }: { state: TableState }) {
  const mails = useQuery(outboxQuery);
  const model = useDataTable({ columns: outboxColumns, rows: mails.data, rowKey, state });
  const actions = useMailActions();
  const failure = describeFailure(mails, 'The outbox could not be loaded');
  return (
    <ListView
      model={model}
      label="Outbox"
      loadingText="Loading mails..."
      emptyText="No mails yet"
      failure={failure}
      actions={actions}
      nameOf={({ to_address }) => to_address}
      isPage
    />
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
  showMessage(isCopied ? 'The link is copied: pass it on safely' : `Copy by hand: ${link}`);
}
