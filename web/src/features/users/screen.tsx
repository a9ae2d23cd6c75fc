import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { BusyOverlay } from '#components/ui/busy-overlay.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { useEverTrue } from '#lib/lazy-part.tsx';
import { useUserActions } from './actions.ts';
import { usersColumns } from './columns.tsx';
import { filterUsers } from './filter-users.ts';
import { UserTable, userKey } from './list.tsx';
import type { UserOverlaysProps } from './overlays.tsx';
import { usersQuery } from './queries.ts';
import { type UsersSearch, usersSearch } from './search.ts';

/** Counts for the other tabs; absent while loading. */
interface WaitingCounts {
  invitations: number | undefined;
  appeals: number | undefined;
}

const withCount = (label: string, count: number | undefined) =>
  count === undefined ? label : `${label} (${formatCount(count)})`;

const tabsWith = ({ invitations, appeals }: WaitingCounts) =>
  [
    { value: 'users', label: 'Users' },
    { value: 'invitations', label: withCount('Invitations', invitations) },
    { value: 'appeals', label: withCount('Appeals', appeals) },
  ] as const;

/** Filters of one tab do not apply to the others. */
const elsewhere = {
  filter: undefined,
  sort: undefined,
  open: undefined,
  hide: undefined,
  show: undefined,
  order: undefined,
};

interface InvitationsProps {
  state: TableState<UsersSearch>;
  status: UsersSearch['invitations'];
  onStatus: (status: UsersSearch['invitations']) => void;
  onShowAll: () => void;
  onInvite: () => void;
}

interface AppealsProps {
  status: UsersSearch['appeals'];
  onStatus: (status: UsersSearch['appeals']) => void;
}

/** Parts of other features (lists of the other tabs, some dialogs), passed in by the page. */
interface UsersScreenProps {
  viewer: CurrentUser;
  /** Pending invitations and open appeals. */
  counts: WaitingCounts;
  invitations: (props: InvitationsProps) => ReactNode;
  appeals: (props: AppealsProps) => ReactNode;
  overlays: (props: UserOverlaysProps) => ReactNode;
}

export function UsersScreen({ viewer, counts, invitations, appeals, overlays }: UsersScreenProps) {
  const state = useTableState(usersSearch);
  const { status, score, near, open, tab = 'users' } = state.search;
  const { rows, ...found } = useFoundUsers(state.search);
  const actions = useUserActions(viewer);
  const model = useDataTable({ columns: usersColumns, rows, rowKey: userKey, state, filteredBy: 'caller' });

  const isAnythingOpened = useEverTrue(actions.dialogs.isOpen || open !== undefined);
  const create = () => actions.dialogs.open('create');
  const invite = () => actions.dialogs.open('invite');
  return (
    <>
      <UsersHeader onCreate={create} onInvite={invite} />
      <PageTabs
        label="User Management"
        tabs={tabsWith(counts)}
        chosen={tab}
        onChoose={(chosen) => state.change({ ...elsewhere, tab: chosen === 'users' ? undefined : chosen })}
      >
        {tab === 'users' && (
          <UserTable
            {...found}
            rows={rows}
            model={model}
            status={status}
            score={score}
            near={near}
            actions={actions.rowActions}
            onStatus={(chosen) => state.change({ status: chosen })}
            onScore={(chosen) => state.change({ score: chosen })}
            onNear={(chosen) => state.change({ near: chosen })}
            onShowAll={() =>
              state.change({ filter: undefined, status: undefined, score: undefined, near: undefined })
            }
            onCreate={create}
          />
        )}
        {tab === 'invitations' && invitations(invitationsProps(state, invite))}
        {tab === 'appeals' && appeals(appealsProps(state))}
      </PageTabs>
      {isAnythingOpened && overlays({ viewer, users: found.users, actions, model })}
      <BusyOverlay text={actions.busyText} />
    </>
  );
}

const invitationsProps = (state: TableState<UsersSearch>, onInvite: () => void): InvitationsProps => ({
  state,
  status: state.search.invitations,
  onStatus: (chosen) => state.change({ invitations: chosen }),
  onShowAll: () => state.change({ filter: undefined, invitations: undefined }),
  onInvite,
});

const appealsProps = (state: TableState<UsersSearch>): AppealsProps => ({
  status: state.search.appeals,
  onStatus: (chosen) => state.change({ appeals: chosen }),
});

/** Filters here, since the search covers names and e-mails only, not every column. */
function useFoundUsers({ filter, status, score, near }: UsersSearch) {
  const answer = useQuery(usersQuery);
  const { data: users } = answer;
  const text = String(filter ?? '');
  const rows = useMemo(
    () => users && filterUsers(users, { text, status, score, near }),
    [users, text, status, score, near],
  );
  return { users, rows, failure: describeFailure(answer, 'Unknown error', 'Error loading users') };
}

interface UsersHeaderProps {
  onCreate: () => void;
  onInvite: () => void;
}

function UsersHeader({ onCreate, onInvite }: UsersHeaderProps) {
  const actions = (
    <>
      <Button onClick={onCreate}>+ Create User</Button>
      <Button variant="default" onClick={onInvite}>
        + Invite User
      </Button>
    </>
  );
  return (
    <PageHeader
      title="User Management"
      subtitle="Manage users, quotas, and access permissions"
      actions={actions}
    />
  );
}
