import { Button, NativeSelect } from '@mantine/core';
import type { BlacklistEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import { type DataTableModel, useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { providerNameOf } from '../../components/ui/provider-name.tsx';
import { AddEntryDialog } from '../../features/blacklist/add-entry-dialog.tsx';
import { blacklistColumns } from '../../features/blacklist/blacklist-columns.tsx';
import { BlacklistFigures } from '../../features/blacklist/blacklist-figures.tsx';
import { findEntries } from '../../features/blacklist/blacklist-list.ts';
import { blacklistQuery } from '../../features/blacklist/blacklist-queries.ts';
import { blacklistSearch } from '../../features/blacklist/blacklist-search.ts';
import { CheckDialog } from '../../features/blacklist/check-dialog.tsx';
import { useRemoval } from '../../features/blacklist/use-removal.ts';
import { formatCount } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './blacklist.module.css';

export function BlacklistPage() {
  const { data: entries, error, refetch } = useQuery(blacklistQuery);
  const state = useTableState(blacklistSearch);
  const { filter, provider } = state.search;
  const [dialog, setDialog] = useState<'add' | 'check' | null>(null);
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
  const add = <Button onClick={() => setDialog('add')}>Add to Blacklist</Button>;
  return (
    <>
      <PageHeader
        title="Blacklist"
        subtitle="Providers and models that nobody may use"
        actions={
          <>
            <Button variant="default" onClick={() => setDialog('check')}>
              Check Status
            </Button>
            {add}
          </>
        }
      />
      <BlacklistFigures />
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
            <Button
              variant="default"
              onClick={() => state.change({ filter: undefined, provider: undefined })}
            >
              Show all entries
            </Button>
          ) : (
            add
          )
        }
        failure={
          error && {
            message: messageOf(error, 'Failed to load blacklist data'),
            error,
            onRetry: () => void refetch(),
          }
        }
        actions={useRemoval()}
        nameOf={nameOf}
      />
      <AddEntryDialog isOpen={dialog === 'add'} onClose={() => setDialog(null)} />
      <CheckDialog isOpen={dialog === 'check'} onClose={() => setDialog(null)} />
    </>
  );
}

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
          <NativeSelect
            aria-label="Provider"
            data={[
              { value: '', label: 'All Providers' },
              ...[...keys].toSorted().map((key) => ({ value: key, label: providerNameOf(key) })),
            ]}
            value={provider ?? ''}
            onChange={(event) => onProvider(event.currentTarget.value || undefined)}
          />
          {model.rows && (
            <p className={`num ${styles.count}`} role="status">
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
