import { Button } from '@mantine/core';
import type { BlacklistEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '#components/data-table/export-button.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { providerNameOf } from '#lib/provider-registry.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { blacklistColumns, filterEntries } from './columns.tsx';
import type { DialogKind } from './overlays.tsx';
import {
  blacklistExport,
  blacklistQuery,
  blacklistSummaryQuery,
  useFailureToast,
  useRemoveEntry,
} from './queries.ts';
import { type BlacklistSearch, blacklistSearch } from './search.ts';

const question = {
  title: 'Remove from Blacklist',
  message: 'Are you sure you want to remove this blacklist entry?',
  confirmLabel: 'Remove',
  isDanger: true,
};

function useBlacklistActions(): readonly RowAction<BlacklistEntry>[] {
  const confirm = useConfirm();
  const { mutate } = useRemoveEntry();
  return useMemo(() => {
    const remove = async (entry: BlacklistEntry) => {
      if (!(await confirm(question))) return;
      mutate(entry, {
        onSuccess: () => showSuccess('Blacklist entry removed successfully'),
        onError: (error) => showError(messageOf(error, 'Failed to remove blacklist entry')),
      });
    };
    return [
      {
        name: 'Remove',
        icon: DeleteIcon,
        run: (entry) => void remove(entry),
        isFrequent: true,
        isDangerous: true,
      },
    ];
  }, [confirm, mutate]);
}

const loadFailed = 'Failed to load blacklist data';

export function BlacklistScreen() {
  const answer = useQuery(blacklistQuery);
  const { data: entries } = answer;
  const state = useTableState(blacklistSearch);
  const { provider } = state.search;
  const dialogs = useDialogs<DialogKind, BlacklistEntry>();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(loadOverlays);
  const { model, isNarrowed } = useEntries(entries, state);
  const failure = describeFailure(answer, loadFailed);
  useFailureToast(answer.error, loadFailed);
  const add = <Button onClick={() => dialogs.open('add')}>Add to Blacklist</Button>;
  const showAll = (
    <Button variant="default" onClick={() => state.change(everything)}>
      Show all entries
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Blacklist"
        subtitle="Providers and models that are blocked for all users"
        actions={<Actions onCheck={() => dialogs.open('check')} add={add} />}
      />
      <BlacklistStats />
      <BlacklistTools
        entries={entries}
        model={model}
        provider={provider}
        onProvider={(chosen) => state.change({ provider: chosen })}
      />
      <ListView
        model={model}
        label="Blacklist"
        loadingText="Loading blacklist..."
        emptyText={isNarrowed ? 'No entries found' : 'Nothing is blacklisted'}
        emptyAction={isNarrowed ? showAll : add}
        failure={failure}
        actions={useBlacklistActions()}
        nameOf={nameOf}
      />
      {isAnythingOpened && <BlacklistOverlays dialogs={dialogs} />}
    </>
  );
}

function useEntries(entries: readonly BlacklistEntry[] | undefined, state: TableState<BlacklistSearch>) {
  const { filter, provider } = state.search;
  const text = String(filter ?? '');
  const rows = useMemo(
    () => entries && filterEntries(entries, { text, provider }),
    [entries, text, provider],
  );
  const model = useDataTable({
    columns: blacklistColumns,
    rows,
    rowKey: entryKey,
    state,
    filteredBy: 'caller',
  });
  return { model, isNarrowed: text !== '' || provider !== undefined };
}

function Actions({ onCheck, add }: { onCheck: () => void; add: ReactNode }) {
  return (
    <>
      <Button variant="default" onClick={onCheck}>
        Check Status
      </Button>
      {add}
    </>
  );
}

const everything = { filter: undefined, provider: undefined };

const entryKey = ({ id }: BlacklistEntry) => id;

const nameOf = ({ provider_key, model_pattern }: BlacklistEntry) =>
  model_pattern ? `${provider_key} ${model_pattern}` : provider_key;

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const BlacklistOverlays = lazyPart(loadOverlays, 'BlacklistOverlays');

function BlacklistStats() {
  const answer = useQuery(blacklistSummaryQuery);
  const { data } = answer;
  return (
    <StatStrip
      label="Blacklist statistics"
      failure={describeFailure(answer, 'Unknown error', 'Error loading the figures of the blacklist')}
      stats={[
        { label: 'Total Entries', value: data?.total_entries },
        { label: 'Providers Affected', value: data?.providers_affected.length },
        { label: 'Complete Blocks', value: data?.complete_provider_blocks.length },
        { label: 'Model Specific', value: data?.model_specific_blocks.length },
      ]}
    />
  );
}

interface BlacklistToolsProps {
  entries: readonly BlacklistEntry[] | undefined;
  model: DataTableModel<BlacklistEntry>;
  provider: string | undefined;
  onProvider: (provider: string | undefined) => void;
}

function BlacklistTools({ entries = [], model, provider, onProvider }: BlacklistToolsProps) {
  const keys = new Set([...entries.map(({ provider_key }) => provider_key), ...(provider ? [provider] : [])]);
  return (
    <ListTools
      search={
        <FilterField state={model.state} label="Search the blacklist" placeholder="Search blacklist..." />
      }
      filters={
        <>
          <ChoiceFilter
            label="Provider"
            isLabelHidden
            everything="All providers"
            options={[...keys].toSorted().map((key) => ({ value: key, label: providerNameOf(key) }))}
            value={provider}
            onChoose={onProvider}
          />
          {model.rows && (
            <p className="num quiet" role="status">
              Showing {formatCount(model.rows.length)} of {formatCount(entries.length)} entries
            </p>
          )}
        </>
      }
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportDialogButton
            content={blacklistExport(
              { filter: model.state.search.filter, provider },
              model.rows?.length ?? 0,
            )}
          />
        </>
      }
    />
  );
}
