import { Button } from '@mantine/core';
import type { CurrentUser, ServiceAccount } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findByText } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import {
  ActivateIcon,
  DeactivateIcon,
  DeleteIcon,
  EditIcon,
  GiveAccessIcon,
} from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useDialogs } from '#lib/use-dialogs.ts';
import { ownerOf, serviceAccountColumns } from './columns.tsx';
import type { DialogKind } from './overlays.tsx';
import { serviceAccountsQuery, useDeleteServiceAccount, useUpdateServiceAccount } from './queries.ts';
import { type ServiceAccountsSearch, serviceAccountsSearch } from './search.ts';

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const ServiceAccountsOverlays = lazyPart(loadOverlays, 'ServiceAccountsOverlays');

function useAccountActions(
  open: (kind: DialogKind, account: ServiceAccount) => void,
): readonly RowAction<ServiceAccount>[] {
  const confirm = useConfirm();
  const { mutate: update } = useUpdateServiceAccount();
  const { mutate: remove } = useDeleteServiceAccount();
  return useMemo(() => {
    const setActive = ({ id }: ServiceAccount, is_active: boolean) =>
      update(
        { params: { id }, body: { is_active } },
        { onError: (error) => showError(messageOf(error, 'Failed to change the service account')) },
      );
    const deactivate = async (account: ServiceAccount) => {
      if (await confirm(askToDeactivate(account))) setActive(account, false);
    };
    const askAndRemove = async (account: ServiceAccount) => {
      if (!(await confirm(askToDelete(account)))) return;
      remove(
        { params: { id: account.id } },
        {
          onSuccess: () => showSuccess('The service account was deleted'),
          onError: (error) => showError(messageOf(error, 'Failed to delete the service account')),
        },
      );
    };
    return [
      { name: 'Edit', icon: EditIcon, run: (account) => open('edit', account), isFrequent: true },
      {
        name: 'Give access',
        icon: GiveAccessIcon,
        isHidden: ({ is_active, missing }) => !is_active || missing.length === 0,
        run: (account) => open('access', account),
      },
      {
        name: 'Activate',
        icon: ActivateIcon,
        isHidden: ({ is_active }) => is_active,
        run: (account) => setActive(account, true),
      },
      {
        name: 'Deactivate',
        icon: DeactivateIcon,
        isHidden: ({ is_active }) => !is_active,
        run: (account) => void deactivate(account),
      },
      { name: 'Delete', icon: DeleteIcon, run: (account) => void askAndRemove(account), isDangerous: true },
    ];
  }, [confirm, update, remove, open]);
}

const inUse = (account: ServiceAccount) => ({ of: { user_id: account.id }, owner: ownerOf(account) });

const askToDeactivate = (account: ServiceAccount) => ({
  title: 'Deactivate this service account?',
  message: `Requests from ${account.name} will be rejected immediately, and its management tokens will be revoked. Its keys work again when you activate it.`,
  inUse: inUse(account),
  confirmLabel: 'Deactivate',
  isDanger: true,
});

const askToDelete = (account: ServiceAccount) => ({
  title: 'Delete this service account?',
  message: `All keys and tokens of ${account.name} are revoked immediately. Its log rows are kept. This cannot be undone.`,
  inUse: inUse(account),
  confirmLabel: 'Delete',
  isDanger: true,
});

export function ServiceAccountsScreen({ viewer }: { viewer: CurrentUser }) {
  const answer = useQuery(serviceAccountsQuery);
  const { data: accounts } = answer;
  const state = useTableState(serviceAccountsSearch);
  const dialogs = useDialogs<DialogKind, ServiceAccount>();
  const { open } = dialogs;
  const isAnythingOpened = useEverTrue(dialogs.isOpen || state.search.open !== undefined);
  usePreload(loadOverlays);
  const { model, isNarrowed } = useAccounts(accounts, state);
  const mayChange = viewer.role.permissions.includes('users.write');
  const actions = useAccountActions(open);
  const create = mayChange && <Button onClick={() => open('create')}>Create service account</Button>;
  return (
    <>
      <PageHeader
        title="Service accounts"
        subtitle="Accounts for programs that keep working when the user who created them leaves"
        actions={create}
      />
      <AccountTools model={model} state={state} />
      <ListView
        model={model}
        label="Service accounts"
        loadingText="Loading service accounts..."
        emptyText={isNarrowed ? 'No service accounts found' : 'No service accounts yet'}
        emptyAction={isNarrowed ? undefined : create || undefined}
        failure={describeFailure(answer, 'Failed to load service accounts')}
        actions={mayChange ? actions : []}
        nameOf={({ name }) => name}
        onOpen={({ id }) => state.change({ open: id })}
      />
      {isAnythingOpened && (
        <ServiceAccountsOverlays model={model} accounts={accounts} dialogs={dialogs} viewer={viewer} />
      )}
    </>
  );
}

function useAccounts(
  accounts: readonly ServiceAccount[] | undefined,
  state: TableState<ServiceAccountsSearch>,
) {
  const { filter, state: chosen } = state.search;
  const rows = useMemo(
    () =>
      accounts &&
      findByText(
        accounts.filter(({ is_active }) => chosen === undefined || is_active === (chosen === 'active')),
        String(filter ?? ''),
        (account) => [account.name, ownerOf(account)],
      ),
    [accounts, filter, chosen],
  );
  const model = useDataTable({
    columns: serviceAccountColumns,
    rows,
    rowKey: ({ id }) => id,
    state,
    filteredBy: 'caller',
  });
  return { model, isNarrowed: filter !== undefined || chosen !== undefined };
}

interface AccountToolsProps {
  model: DataTableModel<ServiceAccount>;
  state: TableState<ServiceAccountsSearch>;
}

function AccountTools({ model, state }: AccountToolsProps) {
  return (
    <ListTools
      search={
        <FilterField
          state={state}
          label="Search service accounts"
          placeholder="Search service accounts by name or owner..."
        />
      }
      filters={
        <ChoiceFilter
          label="Status"
          isLabelHidden
          everything="All accounts"
          options={stateOptions}
          value={state.search.state}
          onChoose={(chosen) =>
            state.change({ state: chosen === 'active' || chosen === 'inactive' ? chosen : undefined })
          }
        />
      }
      choices={<ColumnChooser model={model} />}
    />
  );
}

const stateOptions = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];
