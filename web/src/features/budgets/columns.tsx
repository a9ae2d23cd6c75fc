import type { Budget } from '@sluice/contract';
import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { Line, SecondLine } from '#components/ui/lines.tsx';
import { QuotaBar } from '#components/ui/quota-bar.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatWithMeasure } from '#lib/format-money.ts';
import { formatShare } from '#lib/format-number.ts';
import { formatShortTime } from '#lib/format-time.ts';
import { describeAction, describePeriod, formatAmount, formatUsed, subjectOf, usedOf } from './queries.ts';
import styles from './use.module.css';
import { describeOver, isFirstPeriod } from './use.tsx';

/** Used percentage from which a budget counts as nearly used up. */
export const nearPercent = 80;
export const fullPercent = 100;

export const budgetColumns: readonly Column<Budget>[] = [
  {
    name: 'Applies to',
    isPinned: true,
    isHideable: false,
    minWidth: '14rem',
    sortBy: ({ subject }) => subject,
    cell: (budget) => (
      <>
        <div className={styles.subject} title={subjectOf(budget)}>
          {subjectOf(budget)}
        </div>
        <SecondLine title={describePeriod(budget)}>{describePeriod(budget)}</SecondLine>
        <NarrowOnly>
          <Use budget={budget} />
          <StateMark budget={budget} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Used',
    width: '12rem',
    showFrom: 'medium',
    sortBy: ({ used_percent }) => used_percent,
    cell: (budget) => <Use budget={budget} />,
  },
  {
    name: 'State',
    width: '12rem',
    showFrom: 'medium',
    sortBy: ({ used_percent }) => used_percent,
    csv: stateOf,
    cell: (budget) => <State budget={budget} />,
  },
  {
    name: 'Reserved',
    width: '5.5rem',
    align: 'end',
    showFrom: 'wide',
    sortBy: ({ held }) => held,
    cell: (budget) => <span className="num">{formatAmount(budget, budget.held)}</span>,
  },
  {
    name: 'At the limit',
    width: '8rem',
    showFrom: 'wide',
    sortBy: describeAction,
    cell: (budget) => (
      <>
        <Line title={describeAction(budget)}>{describeAction(budget)}</Line>
        {budget.over_max > 0 && budget.action !== 'warn' && (
          <SecondLine title="Usage in this period beyond the amounts that were reserved for its requests">
            {describeOver(budget)}
          </SecondLine>
        )}
      </>
    ),
  },
  {
    name: 'Resets',
    width: '6.5rem',
    showFrom: 'wide',
    sortBy: ({ resets_at }) => resets_at,
    cell: ({ resets_at }) =>
      resets_at === null ? <span className="quiet">Does not reset</span> : <Time value={resets_at} />,
  },
];

function Use({ budget }: { budget: Budget }) {
  return (
    <div className="num">
      <span>
        {formatUsed(budget)} of {formatWithMeasure(budget, budget.effective_limit)}
      </span>
      <QuotaBar used={usedOf(budget)} limit={budget.effective_limit} />
    </div>
  );
}

function stateOf({ used_percent }: Budget): string {
  return `${formatShare(used_percent / 100)} used`;
}

function StateMark({ budget }: { budget: Budget }) {
  const { used_percent } = budget;
  const kind = used_percent >= fullPercent ? 'bad' : used_percent >= nearPercent ? 'warn' : 'ok';
  return <StatusMark kind={kind}>{stateOf(budget)}</StatusMark>;
}

function State({ budget }: { budget: Budget }) {
  const { raised_until } = budget;
  return (
    <>
      <StateMark budget={budget} />
      {raised_until !== null && <SecondLine>Raised until {formatShortTime(raised_until)}</SecondLine>}
      {isFirstPeriod(budget) && <SecondLine>Since {formatShortTime(budget.counts_since)}</SecondLine>}
    </>
  );
}
