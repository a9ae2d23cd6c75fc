import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { useDialogs } from '../../lib/use-dialogs.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { useTenantCreditsActions } from './actions.ts';
import { tenantCreditsColumns } from './columns.tsx';
import { CreditTabs } from './credit-tabs.tsx';
import { findTenantAccounts } from './find.ts';
import type { DialogKind } from './overlays.tsx';
import { PaymentsNotice } from './payments-notice.tsx';
import { type TenantAccount, tenantAccountsQuery } from './queries.ts';
import { type TenantCreditsSearch, tenantCreditsSearch } from './search.ts';
import { TenantCreditsStats } from './stats.tsx';
import { TenantCreditsTools } from './tools.tsx';

interface TenantCreditsScreenProps {
  viewer: CurrentUser;
  /** Tenant actions of super administrators, passed in by the page because they belong to another feature. */
  createButton?: ReactNode;
  rowActions?: readonly RowAction<TenantAccount>[];
}

export function TenantCreditsScreen({ viewer, createButton, rowActions }: TenantCreditsScreenProps) {
  const isOperator = viewer.role.permissions.includes('super_admin');
  const answer = useQuery(tenantAccountsQuery(isOperator));
  const { data: accounts } = answer;
  const state = useTableState(tenantCreditsSearch);
  const { balance } = state.search;
  const dialogs = useDialogs<DialogKind, TenantAccount>();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(loadOverlays);
  const { model, isNarrowed } = useAccounts(accounts, state);
  return (
    <>
      <PageHeader
        title="Tenant Credits"
        subtitle={accounts?.length === 1 ? 'Your tenant credit balance' : subtitleOfMany}
        actions={createButton}
      />
      <PaymentsNotice />
      <CreditTabs isOperator={isOperator} chosen={state.search.tab} onChoose={(tab) => state.change({ tab })}>
        <TenantCreditsStats accounts={accounts} />
        <TenantCreditsTools
          model={model}
          balance={balance}
          onBalance={(chosen) => state.change({ balance: chosen })}
        />
        <ListView
          model={model}
          label="Tenant credits"
          loadingText="Loading credits..."
          emptyText={isNarrowed ? 'No tenants found' : 'There are no tenants yet'}
          emptyAction={isNarrowed && <ShowAll onClick={() => state.change(everything)} />}
          failure={describeFailure(
            answer,
            'Unable to load tenant information. Please check your permissions.',
          )}
          actions={useTenantCreditsActions(dialogs.open, isOperator, rowActions)}
          nameOf={({ name }) => name}
          isPage
        />
      </CreditTabs>
      {isAnythingOpened && (
        <TenantCreditsOverlays dialogs={dialogs} accounts={accounts} isOperator={isOperator} />
      )}
    </>
  );
}

const subtitleOfMany = 'What tenants have paid ahead for service-managed models';

function ShowAll({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Show all tenants
    </Button>
  );
}

const everything = { filter: undefined, balance: undefined };

/** Filtered tenants and the list model. */
function useAccounts(accounts: readonly TenantAccount[] | undefined, state: TableState<TenantCreditsSearch>) {
  const { filter, balance } = state.search;
  const text = String(filter ?? '');
  const rows = useMemo(
    () => accounts && findTenantAccounts(accounts, { text, balance }),
    [accounts, text, balance],
  );
  const model = useDataTable({
    columns: tenantCreditsColumns,
    rows,
    rowKey: ({ id }) => id,
    state,
    filteredBy: 'caller',
  });
  return { model, isNarrowed: text !== '' || balance !== undefined };
}

/** Loaded separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TenantCreditsOverlays = lazyPart(loadOverlays, 'TenantCreditsOverlays');
