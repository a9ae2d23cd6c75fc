import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { findByText } from '#components/data-table/column.ts';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { EditIcon, ProofIcon, RechargeIcon, SummaryIcon } from '#components/ui/action-icons.ts';
import { Notice } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { useTenantAdministration } from '#features/tenants/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { paymentSetupQuery } from '#lib/payment-setup.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { tenantCreditsColumns } from './columns.tsx';
import type { DialogKind } from './overlays.tsx';
import styles from './payments-notice.module.css';
import { type TenantAccount, tenantAccountsQuery } from './queries.ts';
import { type BalanceFilter, type TenantCreditsSearch, tenantCreditsSearch } from './search.ts';
import { TenantCreditsTools } from './tools.tsx';

const BillingTab = lazyPart(() => import('./billing-tab.tsx'), 'BillingTab', <SkeletonLines count={3} />);
const OwnBilling = lazyPart(() => import('./own-billing.tsx'), 'OwnBilling', <SkeletonLines count={3} />);

interface CreditTabsProps {
  isOperator: boolean;
  chosen: 'billing' | undefined;
  onChoose: (tab: 'billing' | undefined) => void;
  children: ReactNode;
}

const tabs = [
  { value: 'credits', label: 'Credits' },
  { value: 'billing', label: 'Billing' },
] as const;

/**
 * Only super administrators can view the billing of all tenants. The credit tab includes the plan and cards of the
 * user's own tenant.
 */
function CreditTabs({ isOperator, chosen, onChoose, children }: CreditTabsProps) {
  const credits = (
    <>
      {children}
      <OwnBilling isBelowTenants={isOperator} />
    </>
  );
  if (!isOperator) return credits;
  return (
    <PageTabs
      label="Credits and billing"
      tabs={tabs}
      chosen={chosen ?? 'credits'}
      onChoose={(tab) => onChoose(tab === 'billing' ? tab : undefined)}
    >
      {chosen === 'billing' ? <BillingTab /> : credits}
    </PageTabs>
  );
}

function useTenantCreditsActions(
  open: (kind: DialogKind, account: TenantAccount) => void,
  isOperator: boolean,
  onTenant: readonly RowAction<TenantAccount>[],
): readonly RowAction<TenantAccount>[] {
  return useMemo(
    () => [
      { name: 'Recharge', icon: RechargeIcon, isFrequent: true, run: (account) => open('recharge', account) },
      { name: 'Details', icon: SummaryIcon, isButton: true, run: (account) => open('details', account) },
      { name: 'Proof of balance', icon: ProofIcon, run: (account) => open('proof', account) },
      ...(isOperator
        ? [{ name: 'Adjust', icon: EditIcon, run: (account: TenantAccount) => open('book', account) }]
        : []),
      ...onTenant,
    ],
    [open, isOperator, onTenant],
  );
}

export function TenantCreditsScreen({ viewer }: { viewer: CurrentUser }) {
  const isOperator = viewer.role.permissions.includes('super_admin');
  const administration = useTenantAdministration(isOperator);
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
        actions={administration.createButton}
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
          actions={useTenantCreditsActions(dialogs.open, isOperator, administration.rowActions)}
          nameOf={({ name }) => name}
          isPage
        />
      </CreditTabs>
      {administration.overlays}
      {isAnythingOpened && (
        <TenantCreditsOverlays dialogs={dialogs} accounts={accounts} isOperator={isOperator} />
      )}
    </>
  );
}

const subtitleOfMany = 'Prepaid credits of tenants for Sluice managed models';

function ShowAll({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Show all tenants
    </Button>
  );
}

const everything = { filter: undefined, balance: undefined };

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

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TenantCreditsOverlays = lazyPart(loadOverlays, 'TenantCreditsOverlays');

function TenantCreditsStats({ accounts }: { accounts: readonly TenantAccount[] | undefined }) {
  const countOf = (isCounted: (account: TenantAccount) => boolean) => accounts?.filter(isCounted).length;
  return (
    <StatStrip
      label="Credit statistics"
      stats={[
        { label: 'Total Tenants', value: accounts?.length },
        { label: 'With Credits', value: countOf(({ is_zero_balance }) => !is_zero_balance) },
        { label: 'Low Balance', value: countOf(({ is_low_balance }) => is_low_balance) },
      ]}
    />
  );
}

interface Wanted {
  text: string;
  balance: BalanceFilter | undefined;
}

/** Returns the tenants whose name or slug contains the text, filtered by balance. */
function findTenantAccounts(
  accounts: readonly TenantAccount[],
  { text, balance }: Wanted,
): readonly TenantAccount[] {
  const named = findByText(accounts, text, ({ name, slug }) => [name, slug]);
  if (balance === undefined) return named;
  return named.filter((account) => (balance === 'zero' ? account.is_zero_balance : account.is_low_balance));
}

function PaymentsNotice() {
  const { data: setup } = useQuery(paymentSetupQuery);
  if (!setup || setup.provider === 'stripe') return null;
  return (
    <div className={styles.notice}>
      {setup.provider === 'simulated' ? (
        <Notice kind="warn" title="Payments are simulated.">
          This is a demonstration. Cards are not charged, and credits are free.
        </Notice>
      ) : (
        <Notice kind="warn" title="Payments are not set up.">
          Cards cannot be charged. The operator can set the Stripe keys. Until then, a super administrator can
          adjust the credits.
        </Notice>
      )}
    </div>
  );
}
