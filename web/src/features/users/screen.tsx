import { Button } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddParameter } from '#components/data-table/use-add-parameter.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { AppealList, appealsQuery } from '#features/appeals/index.ts';
import { InvitationList, invitationStatsQuery } from '#features/invitations/index.ts';
import { formatCount } from '#lib/format-number.ts';
import { lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useDialogs } from '#lib/use-dialogs.ts';
import { loadOverlays, UserList } from './list.tsx';
import { usersSearch } from './search.ts';

/** Search parameters to clear when the tab changes, because filters apply to a single tab. */
const elsewhere = {
  filter: undefined,
  sort: undefined,
  open: undefined,
  hide: undefined,
  show: undefined,
  order: undefined,
};

const NewUserDialogs = lazyPart(loadOverlays, 'NewUserDialogs');
const loading = <SkeletonLines count={6} />;

export function UsersScreen({ viewer }: { viewer: CurrentUser }) {
  const state = useTableState(usersSearch);
  const { search, change } = state;
  const { tab = 'users' } = search;
  const tabs = useTabs(search.open !== undefined || search.add !== undefined);
  const dialogs = useDialogs<'create' | 'invite', never>();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  useAddParameter(state, dialogs.open);
  const create = () => dialogs.open('create');
  const invite = () => dialogs.open('invite');
  return (
    <>
      <UsersHeader onCreate={create} onInvite={invite} />
      <PageTabs
        label="User Management"
        tabs={tabs}
        chosen={tab}
        onChoose={(chosen) => change({ ...elsewhere, tab: chosen === 'users' ? undefined : chosen })}
      >
        {tab === 'users' && <UserList viewer={viewer} state={state} onCreate={create} />}
        {tab === 'invitations' && (
          <InvitationList
            fallback={loading}
            state={state}
            status={search.invitations}
            onStatus={(chosen) => change({ invitations: chosen })}
            onShowAll={() => change({ filter: undefined, invitations: undefined })}
            onInvite={invite}
          />
        )}
        {tab === 'appeals' && (
          <AppealList
            fallback={loading}
            status={search.appeals}
            onStatus={(chosen) => change({ appeals: chosen })}
          />
        )}
      </PageTabs>
      {isAnythingOpened && <NewUserDialogs dialogs={dialogs} />}
    </>
  );
}

const withCount = (label: string, count: number | undefined) =>
  count === undefined ? label : `${label} (${formatCount(count)})`;

/** If the page was opened by a link to a drawer or dialog, the numbers are loaded on the first interaction. */
function useTabs(isOpenedByLink: boolean) {
  const [isFirst, setFirst] = useState(isOpenedByLink);
  usePreload(async () => setFirst(false));
  const counts = useWaitingCounts(!isFirst);
  return [
    { value: 'users', label: 'Users' },
    { value: 'invitations', label: withCount('Invitations', counts.invitations) },
    { value: 'appeals', label: withCount('Appeals', counts.appeals) },
  ] as const;
}

const refetchInterval = 30_000;

function useWaitingCounts(enabled: boolean) {
  const { data: invitations } = useQuery({
    queryKey: ['invitations', 'waiting'],
    queryFn: async ({ client }) =>
      (await client.fetchQuery({ ...invitationStatsQuery, staleTime: 0 })).pending,
    refetchInterval,
    enabled,
  });
  const { data: appeals } = useQuery({
    queryKey: ['appeals', 'waiting'],
    queryFn: async ({ client }) =>
      (await client.fetchQuery({ ...appealsQuery('open'), staleTime: 0 })).length,
    refetchInterval,
    enabled,
  });
  return { invitations, appeals };
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
