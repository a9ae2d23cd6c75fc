import {
  type Budget,
  type BudgetRaiseRequest,
  budgetDefaultsRoutes,
  budgetRaiseRequestsRoutes,
  budgetsRoutes,
} from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { capitalize } from '#lib/format-label.ts';
import { formatUsd, formatUsdExact, formatWithMeasure, unitOf } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { loadPages } from '#lib/load-pages.ts';

const calls = createApiClient(budgetsRoutes);
const defaultCalls = createApiClient(budgetDefaultsRoutes);

const requestCalls = createApiClient(budgetRaiseRequestsRoutes);

const key = 'budgets';
const refreshMs = 15_000;
const pageSize = 200;

export type BudgetSubject = Partial<Pick<Budget, 'team_id' | 'llm_provider_id'>> & {
  task_id?: number;
  /** Includes the budgets of the user's API keys. */
  owner_id?: number;
};

/** Sorted by the used share of the limit. */
export const budgetsQuery = (subject: BudgetSubject = {}) =>
  queryOptions({
    queryKey: [key, 'list', subject],
    queryFn: ({ signal }) => {
      const named = Object.fromEntries(Object.entries(subject).filter(([, id]) => id != null));
      return loadPages(pageSize, (page) => calls.listBudgets({ query: { ...named, ...page } }, { signal }));
    },
    // Default budgets have a separate list.
    select: (budgets) => budgets.filter(({ subject_type }) => subject_type !== 'team_member'),
    refetchInterval: refreshMs,
  });

export const budgetHistoryQuery = (id: number) =>
  queryOptions({
    queryKey: [key, 'history', id],
    queryFn: ({ signal }) => calls.getBudgetHistory({ params: { id } }, { signal }),
  });

export const ownBudgetsQuery = queryOptions({
  queryKey: [key, 'own'],
  queryFn: ({ signal }) => calls.listOwnBudgets(undefined, { signal }),
});

export const budgetDefaultsQuery = queryOptions({
  queryKey: [key, 'defaults'],
  queryFn: ({ signal }) => defaultCalls.listBudgetDefaults(undefined, { signal }),
});

export const raiseRequestsQuery = (status: BudgetRaiseRequest['status'] | undefined) =>
  queryOptions({
    queryKey: [key, 'raise-requests', status ?? 'all'],
    queryFn: ({ signal }) => requestCalls.listRaiseRequests({ query: { status } }, { signal }),
    refetchInterval: refreshMs,
  });

export const ownRaiseRequestsQuery = queryOptions({
  queryKey: [key, 'own-raise-requests'],
  queryFn: ({ signal }) => requestCalls.listOwnRaiseRequests(undefined, { signal }),
});

function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export const useCreateBudget = () => useChange(calls.createBudget);
export type Trial = NonNullable<Parameters<typeof calls.replayBudget>[0]['body']>;

export const useBudgetReplay = () =>
  useMutation({ mutationFn: (body: Trial) => calls.replayBudget({ body }) });

export const useUpdateBudget = () => useChange(calls.updateBudget);
export const useRaiseBudget = () => useChange(calls.raiseBudget);
export const useEndBudgetRaise = () => useChange(calls.endBudgetRaise);
export const useDeleteBudget = () => useChange(calls.deleteBudget);

export const useRequestRaise = () => useChange(requestCalls.requestBudgetRaise);
export const useDecideRaiseRequest = () => useChange(requestCalls.decideRaiseRequest);
export const useCreateBudgetDefault = () => useChange(defaultCalls.createBudgetDefault);
export const useUpdateBudgetDefault = () => useChange(defaultCalls.updateBudgetDefault);
export const useDeleteBudgetDefault = () => useChange(defaultCalls.deleteBudgetDefault);

export type DefaultChange = NonNullable<Parameters<typeof defaultCalls.previewBudgetDefault>[0]['body']>;

export const useDefaultPreview = () =>
  useMutation({ mutationFn: (body: DefaultChange) => defaultCalls.previewBudgetDefault({ body }) });

/** Example: `$12.50` or `1,000`. */
export const formatAmount = ({ measure }: Pick<Budget, 'measure'>, amount: number): string =>
  measure === 'usd' ? formatUsd(amount) : formatCount(amount);

export const limitField = (budget: { readonly measure: string }) =>
  budget.measure === 'usd' ? { isMoney: true } : { unit: unitOf(budget) };

/** Returns the spent amount, or the number of parallel requests. */
export const usedOf = ({ held, measure, spent }: Pick<Budget, 'held' | 'measure' | 'spent'>): number =>
  measure === 'parallel_requests' ? held : spent;

/** Small budgets get four decimals, since whole cents would not match the percentage. */
export function formatUsed(budget: Pick<Budget, 'effective_limit' | 'held' | 'measure' | 'spent'>): string {
  const used = usedOf(budget);
  const isSmall = budget.measure === 'usd' && budget.effective_limit < 0.1 && used >= 0.01;
  return isSmall ? formatUsdExact(used, 4) : formatAmount(budget, used);
}

const periodNames: Readonly<Record<Budget['window'], string>> = {
  minute: 'per minute',
  hour: 'per hour',
  day: 'per day',
  week: 'per week',
  month: 'per month',
  total: 'in total',
  at_once: '',
};

/** Example: `$50.00 per month`. */
export const describeLimit = (budget: Pick<Budget, 'measure' | 'window' | 'effective_limit'>): string =>
  `${formatWithMeasure(budget, budget.effective_limit)} ${periodNames[budget.window]}`.trimEnd();

/** Example: `Per month, from team "Research"`. */
export const describePeriod = ({ window, origin }: Pick<Budget, 'window' | 'origin'>): string => {
  const period = capitalize(periodNames[window] || 'at once');
  return origin === null ? period : `${period}, from ${origin}`;
};

/** True if the window spans several days. */
export const hasBurnDown = ({ window }: Pick<Budget, 'window'>): boolean =>
  window === 'week' || window === 'month' || window === 'total';

export const subjectOf = ({ subject }: Pick<Budget, 'subject'>): string => capitalize(subject);

export const periodOptions = Object.entries(periodNames)
  .filter(([value]) => value !== 'at_once')
  .map(([value, label]) => ({ value, label: capitalize(label) }));

export function describeAction({ action, downgrade_to }: Pick<Budget, 'action' | 'downgrade_to'>): string {
  if (action === 'downgrade') return `Send to ${downgrade_to}`;
  return action === 'warn' ? 'Notify only' : 'Refuse';
}

export const requestMarks = {
  open: { kind: 'pending', word: 'Open' },
  approved: { kind: 'ok', word: 'Approved' },
  declined: { kind: 'bad', word: 'Declined' },
} as const;
