import { Button } from '@mantine/core';
import type { Budget } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddParameter } from '#components/data-table/use-add-parameter.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { formatCount } from '#lib/format-number.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useDialogs } from '#lib/use-dialogs.ts';
import { BudgetList } from './list.tsx';
import type { DialogKind } from './overlays.tsx';
import { raiseRequestsQuery } from './queries.ts';
import { budgetsSearch } from './search.ts';

const RaiseRequestList = lazyPart(() => import('./raise-requests.tsx'), 'RaiseRequestList');
const DefaultList = lazyPart(() => import('./defaults.tsx'), 'DefaultList');

/** Search parameters to clear when the tab changes, because filters apply to a single tab. */
const elsewhere = { filter: undefined, sort: undefined, used: undefined };

function useTabs() {
  const { data: open } = useQuery(raiseRequestsQuery('open'));
  return [
    { value: 'budgets', label: 'Budgets' },
    { value: 'defaults', label: 'Defaults' },
    { value: 'requests', label: open ? `Raise requests (${formatCount(open.length)})` : 'Raise requests' },
  ] as const;
}

export function BudgetsScreen() {
  const state = useTableState(budgetsSearch);
  const dialogs = useDialogs<DialogKind, Budget>();
  useAddParameter(state, dialogs.open);
  const { tab = 'budgets' } = state.search;
  return (
    <>
      <PageHeader
        title="Budgets"
        subtitle="Limits in dollars, tokens and requests"
        actions={
          <>
            {tab !== 'requests' && <RefusedRequests />}
            {tab === 'budgets' && <Button onClick={() => dialogs.open('create')}>Create budget</Button>}
          </>
        }
      />
      <PageTabs
        label="Budgets"
        tabs={useTabs()}
        chosen={tab}
        onChoose={(chosen) => state.change({ ...elsewhere, tab: chosen === 'budgets' ? undefined : chosen })}
      >
        {tab === 'budgets' && <BudgetList state={state} dialogs={dialogs} />}
        {tab === 'requests' && <RaiseRequestList fallback={<SkeletonLines count={6} />} />}
        {tab === 'defaults' && <DefaultList fallback={<SkeletonLines count={6} />} />}
      </PageTabs>
    </>
  );
}

function RefusedRequests() {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/admin/logs" search={{ reason: 'budget_exceeded' }} />}
    >
      Show refused requests
    </Button>
  );
}
