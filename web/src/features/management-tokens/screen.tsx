import { Button } from '@mantine/core';
import type { CurrentUser, ManagementToken } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { OffsetPager, type TotalCount } from '#components/data-table/pager.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { RevokeIcon } from '#components/ui/action-icons.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { readActingTenant } from '#lib/acting-tenant.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useDialogs } from '#lib/use-dialogs.ts';
import { managementTokenColumns } from './columns.tsx';
import { managementTokensQuery } from './queries.ts';
import {
  type ManagementTokensSearch,
  managementTokensSearch,
  tokenStates,
  tokensPageSize,
} from './search.ts';
import { useRevoke } from './use-revoke.ts';

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const ManagementTokensOverlays = lazyPart(loadOverlays, 'ManagementTokensOverlays');

/** In another tenant, the viewer cannot own tokens and so cannot create any. */
const isInOwnTenant = () => readActingTenant() === null;

export function ManagementTokensScreen({ viewer }: { viewer: CurrentUser }) {
  const state = useTableState(managementTokensSearch);
  const { search, change } = state;
  const answer = useQuery(managementTokensQuery(search));
  const { tokens, total = null } = answer.data ?? {};
  const model = useDataTable({ ...list, rows: tokens, state });
  const dialogs = useDialogs<'create', never>();
  const isAnythingOpened = useEverTrue(dialogs.isOpen || search.open !== undefined);
  usePreload(loadOverlays);
  const mayChange = viewer.role.permissions.includes('api_keys.write');
  const revoke = useRevoke();
  const mayCreate = mayChange && isInOwnTenant();
  const create = mayCreate && <Button onClick={() => dialogs.open('create')}>Create token</Button>;
  const isNarrowed = search.filter !== undefined || search.state !== undefined;
  return (
    <>
      <PageHeader
        title="Management tokens"
        subtitle="Tokens for programs that call the management API, with scopes and an expiration date"
        actions={create}
      />
      <TokenTools model={model} state={state} />
      <ListView
        model={model}
        label="Management tokens"
        loadingText="Loading management tokens..."
        emptyText={isNarrowed ? 'No management tokens found' : 'No management tokens yet'}
        emptyAction={isNarrowed ? <ShowAll state={state} /> : create}
        failure={describeFailure(answer, 'Failed to load management tokens')}
        actions={useTokenActions(revoke, mayChange)}
        nameOf={({ name }) => name}
        onOpen={({ id }) => change({ open: id })}
        isStale={answer.isPlaceholderData}
        rowsBefore={countRowsBefore(search, tokensPageSize)}
        total={total}
        isPage
      />
      <TokenPager model={model} total={total} />
      {isAnythingOpened && (
        <ManagementTokensOverlays
          model={model}
          tokens={tokens}
          viewer={viewer}
          dialogs={dialogs}
          onRevoke={mayChange ? (token) => void revoke(token) : undefined}
        />
      )}
    </>
  );
}

const list = {
  columns: managementTokenColumns,
  rowKey: ({ id }: ManagementToken) => id,
  filteredBy: 'caller',
} as const;

function ShowAll({ state: { change } }: { state: TableState<ManagementTokensSearch> }) {
  return (
    <Button variant="default" onClick={() => change({ filter: undefined, state: undefined })}>
      Show all tokens
    </Button>
  );
}

function useTokenActions(
  revoke: (token: ManagementToken) => Promise<void>,
  mayChange: boolean,
): readonly RowAction<ManagementToken>[] {
  return useMemo(
    () =>
      mayChange
        ? [
            {
              name: 'Revoke',
              icon: RevokeIcon,
              isFrequent: true,
              isDangerous: true,
              isHidden: ({ state }) => state !== 'active',
              run: (token) => void revoke(token),
            },
          ]
        : [],
    [revoke, mayChange],
  );
}

function TokenPager({ model, total }: { model: DataTableModel<ManagementToken>; total: TotalCount | null }) {
  const { lastId, rows, state } = model;
  if (!rows) return null;
  return (
    <OffsetPager
      state={state}
      rowCount={rows.length}
      total={total}
      usualSize={tokensPageSize}
      lastId={lastId}
    />
  );
}

interface TokenToolsProps {
  model: DataTableModel<ManagementToken>;
  state: TableState<ManagementTokensSearch>;
}

function TokenTools({ model, state }: TokenToolsProps) {
  return (
    <ListTools
      search={
        <FilterField
          state={state}
          label="Search management tokens"
          placeholder="Search by name, owner or last characters..."
        />
      }
      filters={
        <ChoiceFilter
          label="Status"
          isLabelHidden
          everything="All tokens"
          options={stateOptions}
          value={state.search.state}
          onChoose={(chosen) => state.change({ state: tokenStates.find((listed) => listed === chosen) })}
        />
      }
      choices={<ColumnChooser model={model} />}
    />
  );
}

const stateOptions = [
  { value: 'active', label: 'Active' },
  { value: 'ended', label: 'Expired or revoked' },
];
