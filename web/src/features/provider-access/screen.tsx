import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useAccessActions } from './actions.ts';
import { TeamAccessList, UserAccessList } from './list.tsx';
import { accessSummaryQuery, grantableProvidersQuery } from './queries.ts';
import { accessSearch } from './search.ts';

export function ProviderAccessScreen() {
  const state = useTableState(accessSearch);
  const { tab = 'users', explain, grant } = state.search;
  const actions = useAccessActions();
  const isAnythingOpened = useEverTrue(
    actions.isOpen || [explain, grant].some((opened) => opened !== undefined),
  );
  usePreload(loadOverlays);
  // The filters and forms of both lists need the providers.
  const failure = describeFailure(useQuery(grantableProvidersQuery), 'Failed to load provider access data');
  return (
    <>
      <PageHeader
        title="Provider Access"
        subtitle="Decide who may use which providers and models"
        actions={
          <>
            <Button variant="default" onClick={() => state.change({ explain: 'anybody' })}>
              Explain access
            </Button>
            <Button onClick={() => actions.open('grant')}>Grant Access</Button>
          </>
        }
      />
      {failure && <Failure {...failure} />}
      <PageTabs
        label="Provider Access"
        tabs={useTabs()}
        chosen={tab}
        onChoose={(chosen) =>
          state.change({ tab: chosen === 'users' ? undefined : chosen, sort: undefined, page: undefined })
        }
      >
        {tab === 'users' && <UserAccessList state={state} actions={actions} />}
        {tab === 'teams' && <TeamAccessList state={state} actions={actions} />}
        {tab === 'summary' && <AccessSummaryView onGrant={() => actions.open('grant')} />}
      </PageTabs>
      {isAnythingOpened && <AccessOverlays state={state} actions={actions} />}
    </>
  );
}

function useTabs() {
  const { data } = useQuery(accessSummaryQuery);
  const withCount = (name: string, count: number | undefined) =>
    count === undefined ? name : `${name} (${formatCount(count)})`;
  return [
    { value: 'users', label: withCount('User Access', data?.total_user_accesses) },
    { value: 'teams', label: withCount('Team Access', data?.total_team_accesses) },
    { value: 'summary', label: 'Summary' },
  ] as const;
}

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const AccessOverlays = lazyPart(loadOverlays, 'AccessOverlays');
const AccessSummaryView = lazyPart(
  () => import('./summary.tsx'),
  'AccessSummaryView',
  <SkeletonLines count={6} />,
);
