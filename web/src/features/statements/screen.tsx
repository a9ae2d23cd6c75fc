import { Button } from '@mantine/core';
import type { CurrentUser, Statement } from '@sluice/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Printer } from 'lucide-react';
import { ChoiceFilter, FilterBar } from '#components/data-table/filter-bar.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { dayIn, formatAxisDay, formatMonth } from '#lib/format-day.ts';
import { useNow } from '#lib/use-now.ts';
import { labelNamesQuery, type StatementChoice, saveStatement, statementQuery } from './queries.ts';
import styles from './screen.module.css';
import { listMonths, monthBefore, statementsSearch } from './search.ts';
import { StatementTable } from './table.tsx';

interface StatementsScreenProps {
  tenant: CurrentUser['tenant'];
}

/** The statement is formatted for printing. */
export function StatementsScreen({ tenant }: StatementsScreenProps) {
  const search = statementsSearch.parse(useSearch({ strict: false }));
  const today = dayIn(tenant.time_zone, useNow());
  const choice = { month: search.month ?? monthBefore(today.slice(0, 7), 1), label: search.label };
  const answer = useQuery(statementQuery(choice));
  const failure = describeFailure(answer, 'Failed to load the statement');
  return (
    <>
      <div className={styles.controls}>
        <PageHeader
          title="Statements"
          subtitle={`Usage and cost of a month by team or label. Months are in ${tenant.time_zone}`}
          actions={<StatementActions choice={choice} isReady={answer.data !== undefined} />}
        />
        <StatementTools choice={choice} today={today} />
      </div>
      {failure && <Failure {...failure} />}
      {!answer.data && !failure && <SkeletonLines count={8} />}
      {answer.data && <StatementSheet statement={answer.data} isLoading={answer.isPlaceholderData} />}
    </>
  );
}

function StatementActions({ choice, isReady }: { choice: StatementChoice; isReady: boolean }) {
  const { mutate, isPending } = useMutation({
    mutationFn: saveStatement,
    onError: (error) => showError(messageOf(error, 'Failed to export the statement')),
  });
  const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download {...icon} />}
        disabled={!isReady || isPending}
        onClick={() => mutate(choice)}
      >
        Export CSV
      </Button>
      <Button leftSection={<Printer {...icon} />} disabled={!isReady} onClick={() => window.print()}>
        Print
      </Button>
    </>
  );
}

function StatementTools({ choice, today }: { choice: StatementChoice; today: string }) {
  const navigate = useNavigate();
  const { data: names = [] } = useQuery(labelNamesQuery);
  const change = (changes: Partial<StatementChoice>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...changes }), resetScroll: false });
  const isListed = choice.label === undefined || names.includes(choice.label);
  const listed = isListed ? names : [...names, String(choice.label)];
  return (
    <FilterBar>
      <ChoiceFilter
        label="Month"
        everything="Last month"
        value={choice.month}
        options={listMonths(today, choice.month).map((month) => ({
          value: month,
          label: formatMonth(month),
        }))}
        onChoose={(month) => change({ month })}
      />
      <ChoiceFilter
        label="Group by"
        everything="Team"
        value={choice.label}
        options={listed.map((name) => ({ value: name, label: name }))}
        onChoose={(label) => change({ label })}
      />
    </FilterBar>
  );
}

function StatementSheet({ statement, isLoading }: { statement: Statement; isLoading: boolean }) {
  const { by, first_day, is_over, is_reduced, label, last_day, month, tenant_name, time_zone } = statement;
  const grouping = by === 'team' ? 'by team' : `by label ${label}`;
  return (
    <article className={styles.sheet} aria-label="Statement" aria-busy={isLoading}>
      <header className={styles.head}>
        <div>
          <h2>{tenant_name}</h2>
          <p className="quiet">
            Statement of {formatMonth(month)} {grouping}
          </p>
        </div>
        <p className={`num ${styles.period}`}>
          {formatAxisDay(first_day)} to {formatAxisDay(last_day)}
          <br />
          {time_zone}
        </p>
      </header>
      {!is_over && <p className="quiet">This month is not over. The figures are not final.</p>}
      {is_reduced && (
        <Notice kind="warn" title="Usage of this month has been deleted">
          The retention setting deletes old usage, so the figures may be too low. The ledger is complete.
        </Notice>
      )}
      {statement.rows.length === 0 ? (
        <EmptyState title={`No requests in ${formatMonth(month)}`}>
          Requests that were refused do not count. Choose another month, or{' '}
          <Link to="/admin">send a request</Link>.
        </EmptyState>
      ) : (
        <StatementTable statement={statement} />
      )}
    </article>
  );
}
