import type { Budget } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LimitUse } from '#components/ui/limit-use.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatWithMeasure } from '#lib/format-money.ts';
import { formatShortTime } from '#lib/format-time.ts';
import { BurnDownToggle } from './burn-down.tsx';
import {
  type BudgetSubject,
  budgetsQuery,
  describeAction,
  describeLimit,
  formatAmount,
  formatUsed,
  hasBurnDown,
  subjectOf,
  usedOf,
} from './queries.ts';
import styles from './use.module.css';

/** Use of a budget: spent and reserved amounts, reset time, forecast, and possible overrun. */
export function BudgetUse({ budget, children }: { budget: Budget; children?: ReactNode }) {
  const { action, effective_limit: limit, held, raised_until, resets_at } = budget;
  const isParallel = budget.measure === 'parallel_requests';
  const pace = describePace(budget, Date.now());
  return (
    <li>
      <LimitUse
        name={subjectOf(budget)}
        used={usedOf(budget)}
        limit={limit}
        amount={formatUsed(budget)}
        of={` of ${describeLimit(budget)}`}
        notes={
          <>
            {budget.origin !== null && <span>From {budget.origin}</span>}
            {isFirstPeriod(budget) && <span>Counts since {formatShortTime(budget.counts_since)}</span>}
            {held > 0 && !isParallel && (
              <span>{formatWithMeasure(budget, held)} reserved for running and upcoming requests</span>
            )}
            {raised_until !== null && <span>Raised until {formatShortTime(raised_until)}</span>}
            {pace !== null && <span>{pace}</span>}
            {action === 'warn' && <span>{describeAction(budget)}</span>}
            {action !== 'warn' && !isParallel && <span>{describeStrictness(budget)}</span>}
          </>
        }
        resetsAt={resets_at}
      />
      {children}
    </li>
  );
}

/** Whether the budget was created in the current period. Earlier requests of the period do not count. */
export const isFirstPeriod = ({ counts_since, created_at, measure }: Budget): boolean =>
  measure !== 'parallel_requests' && counts_since === created_at;

/**
 * Forecasts from the average use in this period. Returns `null` if nothing is used, the limit is reached, or the
 * period has just started.
 */
export function describePace(budget: Budget, nowMs: number): string | null {
  const { counts_since, effective_limit: limit, resets_at, spent } = budget;
  const elapsedMs = nowMs - Date.parse(counts_since);
  const endMs = resets_at === null ? Number.POSITIVE_INFINITY : Date.parse(resets_at);
  if (spent <= 0 || spent >= limit || elapsedMs <= 0 || nowMs >= endMs) return null;
  const periodMs = elapsedMs + endMs - nowMs;
  // A forecast needs at least one day of data, because use differs between days. For periods up to two days, a
  // hundredth of the period is enough.
  if (elapsedMs < (periodMs > 2 * dayMs ? dayMs : periodMs / 100)) return null;
  const perDay = (spent / elapsedMs) * dayMs;
  const pace = periodMs < 2 * dayMs ? '' : ` (${formatAmount(budget, roundAmount(budget, perDay))} per day)`;
  const reachedMs = nowMs + ((limit - spent) / spent) * elapsedMs;
  if (reachedMs < endMs && reachedMs < nowMs + 366 * dayMs)
    return `At this pace${pace}, the limit is reached on ${formatShortTime(new Date(reachedMs).toISOString())}`;
  if (!Number.isFinite(endMs)) return null;
  const atEnd = spent + (spent / elapsedMs) * (endMs - nowMs);
  return `At this pace${pace}, ${formatWithMeasure(budget, roundAmount(budget, atEnd))} will be used at the reset`;
}

const dayMs = 86_400_000;

/** Rounds to whole cents, tokens or requests. */
const roundAmount = ({ measure }: Pick<Budget, 'measure'>, amount: number) =>
  measure === 'usd' ? Math.round(amount * 100) / 100 : Math.round(amount);

function describeStrictness(budget: Budget): string {
  const effect =
    budget.action === 'downgrade'
      ? `Sends requests to ${budget.downgrade_to} at the limit`
      : 'Refuses requests at the limit';
  return budget.over_max > 0 ? `${effect}, ${describeOver(budget).toLowerCase()}` : effect;
}

/** Example: `At most $0.04 over`. */
export function describeOver(budget: Budget): string {
  return `At most ${formatWithMeasure(budget, budget.over_max)} over`;
}

interface BudgetsSectionProps {
  of: BudgetSubject;
}

export function BudgetsSection({ of }: BudgetsSectionProps) {
  const answer = useQuery(budgetsQuery(of));
  const failure = describeFailure(answer, 'Failed to load budgets');
  if (failure) return <Failure {...failure} />;
  return <BudgetList budgets={answer.data ?? []} />;
}

/** All cards of the page share the query for all budgets. */
export function ProviderBudgets({ id }: { id: number }) {
  const { data = [] } = useQuery(budgetsQuery());
  return <BudgetList budgets={data.filter(({ llm_provider_id }) => llm_provider_id === id)} />;
}

function BudgetList({ budgets }: { budgets: readonly Budget[] }) {
  if (budgets.length === 0) return null;
  return (
    <section aria-label="Budgets" className={styles.section}>
      <h3>Budgets</h3>
      <ul className={styles.list}>
        {budgets.map((budget) => (
          <BudgetUse key={budget.id} budget={budget}>
            {hasBurnDown(budget) && <BurnDownToggle budget={budget} />}
          </BudgetUse>
        ))}
      </ul>
    </section>
  );
}
