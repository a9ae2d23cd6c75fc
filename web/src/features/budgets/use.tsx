import type { Budget } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { LimitUse } from '#components/ui/limit-use.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatShortTime } from '#lib/format-time.ts';
import {
  type BudgetSubject,
  budgetsQuery,
  describeAction,
  describeLimit,
  formatAmount,
  formatWithMeasure,
  ownBudgetsQuery,
  subjectOf,
} from './queries.ts';
import styles from './use.module.css';

/** Amounts of a budget that are spent and held, its reset, and by how much it can be exceeded. */
export function BudgetUse({ budget }: { budget: Budget }) {
  const { action, effective_limit: limit, held, over_max, raised_until, resets_at, spent } = budget;
  return (
    <li>
      <LimitUse
        name={subjectOf(budget)}
        used={spent}
        limit={limit}
        amount={formatAmount(budget, spent)}
        of={` of ${describeLimit(budget)}`}
        notes={
          <>
            {budget.origin !== null && <span>From {budget.origin}</span>}
            {held > 0 && <span>{formatWithMeasure(budget, held)} reserved for running requests</span>}
            {raised_until !== null && <span>Raised until {formatShortTime(raised_until)}</span>}
            <span>{describeOver(budget, over_max, action)}</span>
          </>
        }
        resetsAt={resets_at}
      />
    </li>
  );
}

/** States by how much the limit can be exceeded, or what happens instead of a rejection. */
export function describeOver(budget: Budget, overMax: number, action: Budget['action']): string {
  return action === 'warn'
    ? describeAction(budget)
    : `At most ${formatWithMeasure(budget, overMax)} over the limit`;
}

interface BudgetsSectionProps {
  /** Subject of the budgets. */
  of: BudgetSubject;
}

/** Budgets of a user, team, task or provider, for the drawer with its details; nothing if there are none. */
export function BudgetsSection({ of }: BudgetsSectionProps) {
  const answer = useQuery(budgetsQuery(of));
  const failure = describeFailure(answer, 'Failed to load budgets');
  if (failure) return <Failure {...failure} />;
  return <BudgetList budgets={answer.data ?? []} />;
}

/** Budgets of the signed-in user and the user's API keys; nothing if there are none. */
export function OwnBudgets() {
  const answer = useQuery(ownBudgetsQuery);
  const failure = describeFailure(answer, 'Your budgets could not be loaded');
  if (failure) return <Failure {...failure} />;
  return <BudgetList budgets={answer.data ?? []} />;
}

function BudgetList({ budgets }: { budgets: readonly Budget[] }) {
  if (budgets.length === 0) return null;
  return (
    <section aria-label="Budgets" className={styles.section}>
      <h3>Budgets</h3>
      <ul className={styles.list}>
        {budgets.map((budget) => (
          <BudgetUse key={budget.id} budget={budget} />
        ))}
      </ul>
    </section>
  );
}
