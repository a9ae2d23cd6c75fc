import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { BusyOverlay } from '../../components/ui/busy-overlay.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { PageTabs } from '../../components/ui/page-tabs.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { useUserActions } from '../../features/users/actions.ts';
import { usersColumns } from '../../features/users/columns.tsx';
import { findUsers } from '../../features/users/find.ts';
import { UserTable, userKey } from '../../features/users/list.tsx';
import { usersQuery } from '../../features/users/queries.ts';
import { usersSearch } from '../../features/users/search.ts';
import { loadPart } from '../../lib/load-part.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';

const tabs = [
  { value: 'users', label: 'Users' },
  { value: 'invitations', label: 'Invitations' },
  { value: 'appeals', label: 'Appeals' },
] as const;

/** What one tab's list was narrowed to says nothing to the others. */
const elsewhere = {
  filter: undefined,
  sort: undefined,
  open: undefined,
  hide: undefined,
  show: undefined,
  order: undefined,
};

export function UsersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/users', select: ({ user }) => user });
  const { data: users, error, refetch } = useQuery(usersQuery);
  const state = useTableState(usersSearch);
  const { filter, status, open, tab = 'users', invitations, appeals } = state.search;
  const actions = useUserActions(viewer);
  usePreload(loadDialogs);

  // Found here, since the search is in names and addresses and not in every column.
  const text = String(filter ?? '');
  const rows = useMemo(() => users && findUsers(users, { text, status }), [users, text, status]);
  const model = useDataTable({ columns: usersColumns, rows, rowKey: userKey, state, filteredBy: 'server' });

  const isAnythingOpened = useEverTrue(actions.dialogs.isOpen || open !== undefined);
  const create = () => actions.dialogs.open('create');
  const invite = () => actions.dialogs.open('invite');
  return (
    <>
      <PageHeader
        title="User Management"
        subtitle="Manage users, quotas, and access permissions"
        actions={
          <>
            <Button onClick={create}>+ Create User</Button>
            <Button variant="default" onClick={invite}>
              + Invite User
            </Button>
          </>
        }
      />
      <PageTabs
        label="User Management"
        tabs={tabs}
        chosen={tab}
        onChoose={(chosen) => state.change({ ...elsewhere, tab: chosen === 'users' ? undefined : chosen })}
      >
        {tab === 'users' && (
          <UserTable
            users={users}
            failure={error && { error, onRetry: () => void refetch() }}
            model={model}
            status={status}
            actions={actions.rowActions}
            onStatus={(chosen) => state.change({ status: chosen })}
            onShowAll={() => state.change({ filter: undefined, status: undefined })}
            onCreate={create}
          />
        )}
        {tab === 'invitations' && (
          <Suspense fallback={<SkeletonLines count={6} />}>
            <InvitationList
              state={state}
              status={invitations}
              onStatus={(chosen) => state.change({ invitations: chosen })}
              onShowAll={() => state.change({ filter: undefined, invitations: undefined })}
              onInvite={invite}
            />
          </Suspense>
        )}
        {tab === 'appeals' && (
          <Suspense fallback={<SkeletonLines count={6} />}>
            <AppealList status={appeals} onStatus={(chosen) => state.change({ appeals: chosen })} />
          </Suspense>
        )}
      </PageTabs>
      {isAnythingOpened && (
        <Suspense>
          <UserDialogs viewer={viewer} users={users} actions={actions} model={model} />
        </Suspense>
      )}
      <BusyOverlay text={actions.busyText} />
    </>
  );
}

const InvitationList = lazy(
  loadPart(async () => ({
    default: (await import('../../features/invitations/list.tsx')).InvitationList,
  })),
);

const AppealList = lazy(
  loadPart(async () => ({
    default: (await import('../../features/appeals/list.tsx')).AppealList,
  })),
);

/** Apart from the list, which is to be there first. */
const loadDialogs = () => import('./user-dialogs.tsx');
const UserDialogs = lazy(loadPart(async () => ({ default: (await loadDialogs()).UserDialogs })));
