import { Button } from '@mantine/core';
import type { Budget } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findByText } from '#components/data-table/column.ts';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { BurnDownIcon, CancelIcon, DeleteIcon, EditIcon, RechargeIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { budgetColumns, fullPercent, nearPercent } from './columns.tsx';
import type { DialogKind } from './overlays.tsx';
import {
  budgetsQuery,
  describeLimit,
  hasBurnDown,
  subjectOf,
  useDeleteBudget,
  useEndBudgetRaise,
} from './queries.ts';
import type { BudgetsSearch } from './search.ts';

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const BudgetsOverlays = lazyPart(loadOverlays, 'BudgetsOverlays');

type Open = (kind: DialogKind, budget: Budget) => void;

function useBudgetActions(open: Open): readonly RowAction<Budget>[] {
  const confirm = useConfirm();
  const { mutate: remove } = useDeleteBudget();
  const { mutate: endRaise } = useEndBudgetRaise();
  return useMemo(() => {
    const askAndRemove = async (budget: Budget) => {
      if (!(await confirm(askToDelete(budget)))) return;
      remove(
        { params: { id: budget.id } },
        {
          onSuccess: () => showSuccess('The budget was deleted'),
          onError: (error) => showError(messageOf(error, 'Failed to delete the budget')),
        },
      );
    };
    return [
      { name: 'Edit', icon: EditIcon, run: (budget) => open('edit', budget), isFrequent: true },
      {
        name: 'Burn-down',
        icon: BurnDownIcon,
        isHidden: (budget) => !hasBurnDown(budget),
        run: (budget) => open('burn-down', budget),
      },
      { name: 'Raise temporarily', icon: RechargeIcon, run: (budget) => open('raise', budget) },
      {
        name: 'End raise',
        icon: CancelIcon,
        isHidden: ({ raised_until }) => raised_until === null,
        run: ({ id }) =>
          endRaise(
            { params: { id } },
            { onError: (error) => showError(messageOf(error, 'Failed to end the raise')) },
          ),
      },
      {
        name: 'Delete',
        icon: DeleteIcon,
        obstacle: ({ origin }) =>
          origin === null
            ? null
            : `This limit comes from the default of ${origin}. Edit the limit, or change the default.`,
        run: (budget) => void askAndRemove(budget),
        isDangerous: true,
      },
    ];
  }, [confirm, remove, endRaise, open]);
}

const askToDelete = (budget: Budget) => ({
  title: 'Delete this budget?',
  message: [
    `${nameOf(budget)}. This budget no longer limits requests.`,
    ...(budget.subject_type === 'user' ? ['If a default applies to the user, its limit takes effect.'] : []),
  ].join(' '),
  confirmLabel: 'Delete',
  isDanger: true,
});

interface BudgetListProps {
  state: TableState<BudgetsSearch>;
  dialogs: ReturnType<typeof useDialogs<DialogKind, Budget>>;
}

/** Sorted by the used share of the limit in descending order. */
export function BudgetList({ state, dialogs }: BudgetListProps) {
  const answer = useQuery(budgetsQuery());
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(loadOverlays);
  const { model, isNarrowed } = useBudgets(answer.data, state);
  const create = <Button onClick={() => dialogs.open('create')}>Create budget</Button>;
  return (
    <>
      <BudgetStats budgets={answer.data} />
      <BudgetTools state={state} />
      <ListView
        model={model}
        label="Budgets"
        loadingText="Loading budgets..."
        emptyText={isNarrowed ? 'No budgets found' : 'No budgets yet'}
        emptyAction={isNarrowed ? undefined : create}
        failure={describeFailure(answer, 'Failed to load budgets')}
        actions={useBudgetActions(dialogs.open)}
        nameOf={nameOf}
      />
      {isAnythingOpened && <BudgetsOverlays dialogs={dialogs} />}
    </>
  );
}

function useBudgets(budgets: readonly Budget[] | undefined, state: TableState<BudgetsSearch>) {
  const { filter, used } = state.search;
  const rows = useMemo(
    () =>
      budgets &&
      findByText(
        budgets.filter(({ used_percent }) => used_percent >= (used ?? 0)),
        String(filter ?? ''),
        (budget) => [subjectOf(budget), describeLimit(budget)],
      ),
    [budgets, filter, used],
  );
  const model = useDataTable({ columns: budgetColumns, rows, rowKey, state, filteredBy: 'caller' });
  return { model, isNarrowed: filter !== undefined || used !== undefined };
}

function BudgetTools({ state }: { state: TableState<BudgetsSearch> }) {
  const { used } = state.search;
  return (
    <ListTools
      search={<FilterField state={state} label="Search budgets" placeholder="Search budgets..." />}
      filters={
        <ChoiceFilter
          label="Used"
          isLabelHidden
          everything="All budgets"
          options={usedOptions}
          value={used === undefined ? undefined : String(used)}
          onChoose={(chosen) =>
            state.change({ used: chosen === '80' ? 80 : chosen === '100' ? 100 : undefined })
          }
        />
      }
    />
  );
}

/** Includes the limit, because a subject may have several budgets. */
const nameOf = (budget: Budget) => `${subjectOf(budget)}, ${describeLimit(budget)}`;

const rowKey = ({ id }: Budget) => id;

const usedOptions = [
  { value: '80', label: 'At least 80% used' },
  { value: '100', label: 'Used up' },
];

function BudgetStats({ budgets }: { budgets: readonly Budget[] | undefined }) {
  const countFrom = (percent: number) =>
    budgets && formatCount(budgets.filter(({ used_percent }) => used_percent >= percent).length);
  return (
    <StatStrip
      label="Budget statistics"
      stats={[
        { label: 'Budgets', value: budgets && formatCount(budgets.length) },
        { label: 'At least 80% used', value: countFrom(nearPercent) },
        { label: 'Used up', value: countFrom(fullPercent) },
      ]}
    />
  );
}
