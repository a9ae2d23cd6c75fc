import { Button } from '@mantine/core';
import type { BlacklistEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { ChoiceFilter } from '../../components/data-table/filter-bar.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import { type DataTableModel, useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { providerNameOf } from '../../components/ui/provider-name.tsx';
import { useBlacklistActions } from '../../features/blacklist/actions.ts';
import { blacklistColumns } from '../../features/blacklist/columns.tsx';
import { findEntries } from '../../features/blacklist/find.ts';
import { blacklistQuery } from '../../features/blacklist/queries.ts';
import { blacklistSearch } from '../../features/blacklist/search.ts';
import { BlacklistStats } from '../../features/blacklist/stats.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatCount } from '../../lib/format-number.ts';
import { loadPart } from '../../lib/load-part.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';

export function BlacklistPage() {
  const answer = useQuery(blacklistQuery);
  const { data: entries } = answer;
  const state = useTableState(blacklistSearch);
  const { filter, provider } = state.search;
  const [dialog, setDialog] = useState<'add' | 'check' | null>(null);
  const isAnythingOpened = useEverTrue(dialog !== null);
  usePreload(loadDialogs);
  const text = String(filter ?? '');
  const rows = useMemo(() => entries && findEntries(entries, { text, provider }), [entries, text, provider]);
  const model = useDataTable({
    columns: blacklistColumns,
    rows,
    rowKey: entryKey,
    state,
    filteredBy: 'server',
  });
  const isNarrowed = text !== '' || provider !== undefined;
  const failure = describeFailure(answer, 'Failed to load blacklist data');
  const add = <Button onClick={() => setDialog('add')}>Add to Blacklist</Button>;
  return (
    <>
      <PageHeader
        title="Blacklist"
        subtitle="Providers and models that nobody may use"
        actions={<Actions onCheck={() => setDialog('check')} add={add} />}
      />
      <BlacklistStats />
      <Tools
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
        emptyAction={
          isNarrowed ? (
            <Button variant="default" onClick={() => state.change(everything)}>
              Show all entries
            </Button>
          ) : (
            add
          )
        }
        failure={failure}
        actions={useBlacklistActions()}
        nameOf={nameOf}
      />
      {isAnythingOpened && (
        <Suspense>
          <AddEntryDialog isOpen={dialog === 'add'} onClose={() => setDialog(null)} />
          <CheckDialog isOpen={dialog === 'check'} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  );
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

interface ToolsProps {
  entries: readonly BlacklistEntry[] | undefined;
  model: DataTableModel<BlacklistEntry>;
  provider: string | undefined;
  onProvider: (provider: string | undefined) => void;
}

function Tools({ entries = [], model, provider, onProvider }: ToolsProps) {
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
            everything="All Providers"
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
          <ExportButton model={model} noun="blacklist" />
        </>
      }
    />
  );
}

const entryKey = ({ id }: BlacklistEntry) => id;

const nameOf = ({ provider_key, model_pattern }: BlacklistEntry) =>
  model_pattern ? `${provider_key} ${model_pattern}` : provider_key;

/** Apart from the list, which is to be there first. */
const loadAdding = () => import('../../features/blacklist/add-entry-dialog.tsx');
const loadCheck = () => import('../../features/blacklist/check-dialog.tsx');
const loadDialogs = () => Promise.all([loadAdding(), loadCheck()]);
const AddEntryDialog = lazy(loadPart(async () => ({ default: (await loadAdding()).AddEntryDialog })));
const CheckDialog = lazy(loadPart(async () => ({ default: (await loadCheck()).CheckDialog })));
