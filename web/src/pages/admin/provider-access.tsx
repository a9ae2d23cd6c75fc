import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { PageTabs } from '../../components/ui/page-tabs.tsx';
import { TeamAccessList, UserAccessList } from '../../features/provider-access/access-list.tsx';
import { accessSummaryQuery, isTeamAccess } from '../../features/provider-access/access-queries.ts';
import { accessSearch } from '../../features/provider-access/access-search.ts';
import { AccessSummaryView } from '../../features/provider-access/access-summary-view.tsx';
import { EditAccessDialog } from '../../features/provider-access/edit-access-dialog.tsx';
import { ExplainDrawer } from '../../features/provider-access/explain-drawer.tsx';
import { GrantDialog } from '../../features/provider-access/grant-dialog.tsx';
import { type AccessActs, useAccessActs } from '../../features/provider-access/use-access-acts.ts';
import { UserProvidersDialog } from '../../features/provider-access/user-providers-dialog.tsx';
import { formatCount } from '../../lib/format-number.ts';

export function ProviderAccessPage() {
  const state = useTableState(accessSearch);
  const { tab = 'users', explain, model } = state.search;
  const acts = useAccessActs();
  return (
    <>
      <PageHeader
        title="Provider Access"
        subtitle="Decide who may use which providers and models"
        actions={
          <>
            <Button variant="default" onClick={() => state.change({ explain: 'anybody' })}>
              Explain Access
            </Button>
            <Button onClick={() => acts.open('grant')}>Grant Access</Button>
          </>
        }
      />
      <PageTabs
        label="Provider Access"
        tabs={useTabs()}
        chosen={tab}
        onChoose={(chosen) =>
          state.change({ tab: chosen === 'users' ? undefined : chosen, sort: undefined, page: undefined })
        }
      >
        {tab === 'users' && <UserAccessList state={state} acts={acts} />}
        {tab === 'teams' && <TeamAccessList state={state} acts={acts} />}
        {tab === 'summary' && <AccessSummaryView />}
      </PageTabs>
      <GrantDialog holder={tab === 'teams' ? 'team' : 'user'} {...acts.propsOf('grant')} />
      <OpenedAccess acts={acts} />
      <ExplainDrawer
        isOpen={explain !== undefined}
        question={{ userId: explain === 'anybody' ? undefined : explain, model: model ?? '' }}
        onAsk={(question) => state.change({ explain: question.userId, model: question.model })}
        onClose={() => state.change({ explain: undefined, model: undefined })}
      />
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

/** What opens about one grant. */
function OpenedAccess({ acts }: { acts: AccessActs }) {
  const { access } = acts;
  if (access === null) return null;
  return (
    <>
      <EditAccessDialog access={access} {...acts.propsOf('edit')} />
      {!isTeamAccess(access) && (
        <UserProvidersDialog
          userId={access.user_id}
          userName={access.user_name}
          {...acts.propsOf('summary')}
        />
      )}
    </>
  );
}
