import type { CurrentUser, ShadowRun } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import { runColumns } from './columns.tsx';
import { shadowRunsQuery } from './queries.ts';
import styles from './screen.module.css';
import { type ShadowRunsSearch, shadowRunsSearch } from './search.ts';
import { useRemoveRun } from './use-remove-run.ts';

/** Loads the run details separately, so that the list appears first. */
const loadRun = lazyFile(() => import('./run.tsx'));
const RunDetails = lazyPart(loadRun, 'RunDetails');

/** Lists the runs of `sluice shadow`, or shows the run named in the URL. */
export function ShadowRunsScreen({ viewer }: { viewer: CurrentUser }) {
  const state = useTableState(shadowRunsSearch);
  const canDelete = viewer.role.permissions.includes('settings.write');
  const { run } = state.search;
  usePreload(loadRun);
  return run === undefined ? (
    <RunList state={state} canDelete={canDelete} />
  ) : (
    <RunDetails key={run} id={run} state={state} canDelete={canDelete} />
  );
}

const command = 'npx sluice shadow --against URL --requests FILE';

interface RunListProps {
  state: TableState<ShadowRunsSearch>;
  canDelete: boolean;
}

function RunList({ state, canDelete }: RunListProps) {
  const answer = useQuery(shadowRunsQuery);
  const { data: runs } = answer;
  const model = useDataTable({ columns: runColumns, rows: runs, rowKey, state });
  const actions = useRunActions();
  const isEmpty = runs?.length === 0;
  return (
    <>
      <PageHeader
        title="Shadow runs"
        subtitle="Requests of another gateway, evaluated by the rules of Sluice without being served"
      />
      {isEmpty ? (
        <NoRuns />
      ) : (
        <>
          <ListTools
            search={
              <FilterField state={model.state} label="Search runs" placeholder="Search by name or URL..." />
            }
            choices={<ColumnChooser model={model} />}
          />
          <ListView
            model={model}
            label="Shadow runs"
            loadingText="Loading shadow runs..."
            emptyText="No shadow runs found"
            failure={describeFailure(answer, 'The shadow runs could not be loaded')}
            {...(canDelete && { actions })}
            nameOf={({ name }) => name}
            onOpen={({ id }) => state.change({ run: id, filter: undefined, sort: undefined })}
            isPage
          />
          {runs && (
            <div className={styles.another}>
              <Snippet title="Start another run on the server" text={command} />
            </div>
          )}
        </>
      )}
    </>
  );
}

const rowKey = ({ id }: ShadowRun) => id;

function useRunActions(): readonly RowAction<ShadowRun>[] {
  const remove = useRemoveRun();
  return useMemo(
    () => [{ name: 'Delete', icon: DeleteIcon, isDangerous: true, run: (run) => void remove(run) }],
    [remove],
  );
}

function NoRuns() {
  return (
    <div className={styles.none}>
      <EmptyState title="No shadow runs yet">
        A shadow run evaluates requests of another gateway, such as LiteLLM or One API, and reports whether
        Sluice would serve each request, with which model and at what cost. No provider is called. Run this
        command on the server; <code>docs/operating/shadow.md</code> describes its options.
      </EmptyState>
      <div className={styles.command}>
        <Snippet title="Shell" text={command} />
      </div>
    </div>
  );
}
