import { Button } from '@mantine/core';
import type { Budget } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PageTabs } from '#components/ui/page-tabs.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useDialogs } from '#lib/use-dialogs.ts';
import { BudgetList } from './list.tsx';
import type { DialogKind } from './overlays.tsx';
import { budgetsSearch } from './search.ts';

const DefaultList = lazyPart(() => import('./defaults.tsx'), 'DefaultList');

/** Filters of one tab do not apply to the others. */
const elsewhere = { filter: undefined, sort: undefined, used: undefined };

const tabs = [
  { value: 'budgets', label: 'Budgets' },
  { value: 'defaults', label: 'Defaults' },
] as const;

/** Budgets, and the defaults that teams and the organization have for their users. */
export function BudgetsScreen() {
  const state = useTableState(budgetsSearch);
  const dialogs = useDialogs<DialogKind, Budget>();
  const { tab = 'budgets' } = state.search;
  return (
    <>
      <PageHeader
        title="Budgets"
        subtitle="Limits in dollars, tokens and requests"
        actions={
          <>
            <RejectedRequests />
            {tab === 'budgets' && <Button onClick={() => dialogs.open('create')}>Create Budget</Button>}
          </>
        }
      />
      <PageTabs
        label="Budgets"
        tabs={tabs}
        chosen={tab}
        onChoose={(chosen) => state.change({ ...elsewhere, tab: chosen === 'budgets' ? undefined : chosen })}
      >
        {tab === 'budgets' && <BudgetList state={state} dialogs={dialogs} />}
        {tab === 'defaults' && <DefaultList fallback={<SkeletonLines count={6} />} />}
      </PageTabs>
    </>
  );
}

/** Link to the log of requests that budgets rejected. */
function RejectedRequests() {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/admin/logs" search={{ reason: 'budget_exceeded' }} />}
    >
      Show rejected requests
    </Button>
  );
}
