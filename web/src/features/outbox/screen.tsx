import { Button } from '@mantine/core';
import type { Mail } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '#components/data-table/export-button.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { OffsetPager, type TotalCount } from '#components/data-table/pager.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { CopyIcon, SendAgainIcon } from '#components/ui/action-icons.ts';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showMessage, showSuccess } from '#components/ui/toasts.tsx';
import { copyText } from '#lib/copy-text.ts';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { localizeInstants } from '#lib/format-time.ts';
import { outboxExport, outboxQuery, useRetryMail } from './queries.ts';
import { type OutboxSearch, outboxPageSize, outboxSearch } from './search.ts';

const marks: Readonly<Record<Mail['status'], { kind: StatusKind; text: string }>> = {
  queued: { kind: 'pending', text: 'Queued' },
  sent: { kind: 'ok', text: 'Sent' },
  failed: { kind: 'bad', text: 'Failed' },
  withdrawn: { kind: 'off', text: 'No longer needed' },
  held: { kind: 'warn', text: 'Needs forwarding' },
};

const outboxColumns: readonly Column<Mail>[] = [
  {
    name: 'To',
    isPinned: true,
    isHideable: false,
    sortBy: ({ to_address }) => to_address,
    csv: ({ to_address, subject }) => `${to_address}: ${subject}`,
    cell: (mail) => (
      <>
        <NameLine>{mail.to_address}</NameLine>
        <SecondLine title={mail.subject}>{mail.subject}</SecondLine>
        <NarrowOnly>
          <MailStatus mail={mail} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Status',
    width: '11rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: (mail) => <MailStatus mail={mail} />,
  },
  {
    name: 'Written',
    width: '9rem',
    showFrom: 'medium',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time value={created_at} isTabStop={false} />,
  },
  {
    name: 'Sent',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ sent_at }) => sent_at ?? '',
    cell: ({ sent_at }) => (sent_at === null ? 'Not yet' : <Time value={sent_at} isTabStop={false} />),
  },
];

function MailStatus({ mail: { status, error } }: { mail: Mail }) {
  const { kind, text } = marks[status];
  return (
    <span title={localizeInstants(error ?? '') || undefined}>
      <StatusMark kind={kind}>{text}</StatusMark>
    </span>
  );
}

export function OutboxScreen() {
  const state = useTableState(outboxSearch);
  const answer = useQuery(outboxQuery(state.search));
  const { mails, total = null } = answer.data ?? {};
  const model = useDataTable({
    columns: outboxColumns,
    rows: mails,
    rowKey,
    state,
    filteredBy: 'caller',
  });
  const actions = useMailActions();
  const isNarrowed = state.search.filter !== undefined;
  const failure = describeFailure(answer, 'The outbox could not be loaded');
  return (
    <>
      <PageHeader
        title="Outbox"
        subtitle="Emails to the users of this tenant, and links to forward if no mail server is set up"
      />
      <OutboxTools model={model} search={state.search} />
      <ListView
        model={model}
        label="Outbox"
        loadingText="Loading emails..."
        emptyText={isNarrowed ? 'No emails found' : 'No emails yet. Inviting a user creates the first one.'}
        emptyAction={
          isNarrowed ? (
            <Button variant="default" onClick={() => state.change({ filter: undefined })}>
              Show all emails
            </Button>
          ) : (
            <InvitationsLink />
          )
        }
        failure={failure}
        actions={actions}
        nameOf={({ to_address }) => to_address}
        isStale={answer.isPlaceholderData}
        rowsBefore={countRowsBefore(state.search, outboxPageSize)}
        total={total}
        isPage
      />
      <MailPager model={model} total={total} />
    </>
  );
}

function MailPager({ model, total }: { model: DataTableModel<Mail>; total: TotalCount | null }) {
  const { lastId, rows, state } = model;
  if (!rows) return null;
  return (
    <OffsetPager
      state={state}
      rowCount={rows.length}
      total={total}
      usualSize={outboxPageSize}
      lastId={lastId}
    />
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
        <FilterField
          state={model.state}
          label="Search emails"
          placeholder="Search by address or subject..."
        />
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

function useMailActions(): readonly RowAction<Mail>[] {
  const { mutate: retry } = useRetryMail();
  return useMemo(
    () => [
      {
        name: 'Send again',
        icon: SendAgainIcon,
        isFrequent: true,
        isHidden: ({ status }) => status !== 'failed',
        run: ({ id, to_address }) =>
          retry(
            { params: { id } },
            {
              onSuccess: () => showSuccess(`The email to ${to_address} is queued again`),
              onError: (error) => showError(messageOf(error, 'Failed to resend the email')),
            },
          ),
      },
      {
        name: 'Copy link',
        icon: CopyIcon,
        isFrequent: true,
        isHidden: ({ link }) => link === null,
        run: ({ link }) => void copyLink(link ?? ''),
      },
    ],
    [retry],
  );
}

async function copyLink(link: string): Promise<void> {
  const isCopied = await copyText(link);
  const isSecret = !/^\/(admin|dashboard)\b/.test(new URL(link).pathname);
  const advice = `Send it to the user${isSecret ? ' over a secure channel' : ''}.`;
  showMessage(isCopied ? `Link copied. ${advice}` : `Copy manually: ${link}`);
}
