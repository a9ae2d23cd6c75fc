import { Button } from '@mantine/core';
import type { User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import { type DataTableModel, useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { BusyOverlay } from '../../components/ui/busy-overlay.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { type StatusChoice, StatusFilter } from '../../features/users/status-filter.tsx';
import { useUserActs } from '../../features/users/use-user-acts.ts';
import { findUsers } from '../../features/users/user-list.ts';
import { usersColumns } from '../../features/users/users-columns.tsx';
import { usersQuery } from '../../features/users/users-queries.ts';
import { usersSearch } from '../../features/users/users-search.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './users.module.css';

export function UsersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/users', select: ({ user }) => user });
  const { data: users, error, refetch } = useQuery(usersQuery);
  const state = useTableState(usersSearch);
  const { filter, status, open } = state.search;
  const acts = useUserActs(viewer);
  useDialogsOnIntent();

  // Found here, since the search is in names and addresses and not in every column.
  const text = String(filter ?? '');
  const rows = useMemo(() => users && findUsers(users, { text, status }), [users, text, status]);
  const model = useDataTable({ columns: usersColumns, rows, rowKey: userKey, state, filteredBy: 'server' });

  const isAnythingOpened = useLatch(acts.dialogs.kind !== null || open !== undefined);
  const isNarrowed = text !== '' || status !== undefined;
  const create = () => acts.dialogs.open('create');
  const failure = error && {
    message: `Error loading users: ${messageOf(error)}`,
    error,
    onRetry: () => void refetch(),
  };
  return (
    <>
      <PageHeader
        title="User Management"
        subtitle="Manage users, quotas, and access permissions"
        actions={<Button onClick={create}>+ Create User</Button>}
      />
      <Tools
        users={users}
        model={model}
        status={status}
        onStatus={(chosen) => state.change({ status: chosen })}
      />
      <ListView
        model={model}
        label="Users"
        loadingText="Loading users..."
        emptyText={isNarrowed ? 'No users found' : 'No users yet'}
        emptyAction={
          isNarrowed ? (
            <Button variant="default" onClick={() => state.change({ filter: undefined, status: undefined })}>
              Show all users
            </Button>
          ) : (
            <Button onClick={create}>Create User</Button>
          )
        }
        failure={failure}
        actions={acts.actions}
        nameOf={({ name }) => name}
        onOpen={({ id }) => state.change({ open: id })}
      />
      {isAnythingOpened && (
        <Suspense>
          <UserDialogs viewer={viewer} users={users} acts={acts} model={model} />
        </Suspense>
      )}
      <BusyOverlay text={acts.busyText} />
    </>
  );
}

interface ToolsProps {
  users: readonly User[] | undefined;
  model: DataTableModel<User>;
  status: StatusChoice;
  onStatus: (status: StatusChoice) => void;
}

function Tools({ users, model, status, onStatus }: ToolsProps) {
  return (
    <div className={styles.tools}>
      <FilterField
        className={styles.search}
        state={model.state}
        label="Search users"
        placeholder="Search users by name or email..."
      />
      {users && <StatusFilter users={users} chosen={status} onChoose={onStatus} />}
      <div className={styles.choices}>
        <ColumnChooser model={model} />
        <ExportButton model={model} noun="users" />
      </div>
    </div>
  );
}

const userKey = ({ id }: User) => id;

/** Apart from the list, which is to be there first. */
const loadDialogs = () => import('./user-dialogs.tsx');
const UserDialogs = lazy(async () => ({ default: (await loadDialogs()).UserDialogs }));

/** Fetches the dialogs once somebody begins to use the page. */
function useDialogsOnIntent(): void {
  useEffect(() => {
    const intent = new AbortController();
    const fetchOnce = () => {
      intent.abort();
      void loadDialogs();
    };
    for (const event of ['pointermove', 'pointerdown', 'keydown']) {
      window.addEventListener(event, fetchOnce, { signal: intent.signal });
    }
    return () => intent.abort();
  }, []);
}

/** Whether it ever was so. */
function useLatch(isSo: boolean): boolean {
  const [wasSo, setWasSo] = useState(isSo);
  if (isSo && !wasSo) setWasSo(true);
  return wasSo;
}
