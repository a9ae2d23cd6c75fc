import { Button } from '@mantine/core';
import type { BlacklistEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ListView } from '../../components/data-table/list-view.tsx';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { useDialogs } from '../../lib/use-dialogs.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { useBlacklistActions } from './actions.ts';
import { blacklistColumns } from './columns.tsx';
import { findEntries } from './find.ts';
import type { DialogKind } from './overlays.tsx';
import { blacklistQuery } from './queries.ts';
import { type BlacklistSearch, blacklistSearch } from './search.ts';
import { BlacklistStats } from './stats.tsx';
import { BlacklistTools } from './tools.tsx';

export function BlacklistScreen() {
  const answer = useQuery(blacklistQuery);
  const { data: entries } = answer;
  const state = useTableState(blacklistSearch);
  const { provider } = state.search;
  const dialogs = useDialogs<DialogKind, BlacklistEntry>();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(loadOverlays);
  const { model, isNarrowed } = useEntries(entries, state);
  const failure = describeFailure(answer, 'Failed to load blacklist data');
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
        subtitle="Providers and models that nobody may use"
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

/** Entries that match the search. */
function useEntries(entries: readonly BlacklistEntry[] | undefined, state: TableState<BlacklistSearch>) {
  const { filter, provider } = state.search;
  const text = String(filter ?? '');
  const rows = useMemo(() => entries && findEntries(entries, { text, provider }), [entries, text, provider]);
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

/** Loaded separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const BlacklistOverlays = lazyPart(loadOverlays, 'BlacklistOverlays');
