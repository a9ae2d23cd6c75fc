import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '#components/data-table/column.ts';
import { FilterBar } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { OffsetPager } from '#components/data-table/pager.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { AccessActions } from './actions.ts';
import { teamAccessColumns, userAccessColumns } from './columns.tsx';
import {
  type Access,
  type AccessPage,
  holderOf,
  keyOf,
  teamAccessQuery,
  userAccessQuery,
} from './queries.ts';
import { type AccessSearch, accessPageSize, hasAccessFilters, noAccessFilters } from './search.ts';

// Loads the filters separately, so that the list appears first.
const AccessFilters = lazyPart(() => import('./filters.tsx'), 'AccessFilters', <FilterBar>{null}</FilterBar>);

interface AccessListProps {
  state: TableState<AccessSearch>;
  actions: AccessActions;
}

export function UserAccessList({ state, actions }: AccessListProps) {
  return (
    <AccessList
      holder="user"
      columns={userAccessColumns}
      answer={useQuery(userAccessQuery(state.search))}
      state={state}
      actions={actions}
    />
  );
}

export function TeamAccessList({ state, actions }: AccessListProps) {
  return (
    <AccessList
      holder="team"
      columns={teamAccessColumns}
      answer={useQuery(teamAccessQuery(state.search))}
      state={state}
      actions={actions}
    />
  );
}

interface Answer<Row> {
  data: AccessPage<Row> | undefined;
  error: Error | null;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface GrantsProps<Row> extends AccessListProps {
  holder: 'user' | 'team';
  columns: readonly Column<Row>[];
  answer: Answer<Row>;
}

function AccessList<Row extends Access>({ holder, columns, answer, state, actions }: GrantsProps<Row>) {
  const { data, isPlaceholderData } = answer;
  const model = useDataTable({ columns, rows: data?.rows, rowKey: keyOf, state, filteredBy: 'caller' });
  const isNarrowed = hasAccessFilters(state.search);
  const next: ReactNode = isNarrowed ? (
    <Button variant="default" onClick={() => state.change(noAccessFilters)}>
      Clear Filters
    </Button>
  ) : (
    <Button onClick={() => actions.open('grant')}>Grant Access</Button>
  );
  const failure = describeFailure(answer, `Failed to fetch ${holder} accesses`);
  return (
    <>
      <AccessFilters state={state} holder={holder} />
      <ListView
        model={model}
        label={holder === 'user' ? 'User Access' : 'Team Access'}
        loadingText="Loading access..."
        isStale={isPlaceholderData}
        emptyText={isNarrowed ? 'No access found matching your filters' : `No ${holder} has access yet`}
        emptyAction={next}
        failure={failure}
        actions={actions.rowActions}
        nameOf={(access) => `${holderOf(access)}, ${access.provider_instance_name}`}
        rowsBefore={countRowsBefore(state.search, accessPageSize)}
        total={data?.total ?? null}
      />
      {model.rows && (data?.total?.count ?? 0) > accessPageSize && (
        <OffsetPager
          state={state}
          rowCount={model.rows.length}
          total={data?.total ?? null}
          usualSize={accessPageSize}
          lastId={data?.rows.at(-1)?.id}
        />
      )}
    </>
  );
}
