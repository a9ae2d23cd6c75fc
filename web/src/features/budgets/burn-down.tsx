import { Button } from '@mantine/core';
import type { Budget, BudgetHistory } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { cycleColorOf } from '#lib/chart-colors.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatWithMeasure } from '#lib/format-money.ts';
import { budgetHistoryQuery, describeLimit, formatAmount, subjectOf } from './queries.ts';
import panelStyles from './use.module.css';

const heightPx = 180;
const dayMs = 86_400_000;

export function BurnDown({ budget }: { budget: Budget }) {
  const answer = useQuery(budgetHistoryQuery(budget.id));
  const failure = describeFailure(answer, 'Failed to load the history of the budget');
  if (failure) return <Failure {...failure} />;
  const { days, series } = drawBurnDown(budget, answer.data);
  const formatValue = (value: number) => formatWithMeasure(budget, value);
  const formatTick = (value: number) => formatAmount(budget, value);
  return (
    <ChartPanel
      heading="Burn-down"
      unit={describeLimit(budget)}
      table={tabulateSeries(days, series, formatValue)}
      emptyText="Nothing spent yet"
      isLoading={answer.isPending}
      height={heightPx}
    >
      <TimeChart
        label={`Remaining budget of ${subjectOf(budget)} by day`}
        kind="line"
        days={days}
        series={series}
        formatValue={formatValue}
        formatTick={formatTick}
        max={budget.effective_limit}
        {...(answer.data?.last_day && {
          markers: [{ day: answer.data.last_day, text: 'Last day before the reset' }],
        })}
      />
    </ChartPanel>
  );
}

/** Covers the days until the end of the budget's window. */
export function drawBurnDown(budget: Pick<Budget, 'effective_limit'>, history: BudgetHistory | undefined) {
  const limit = budget.effective_limit;
  const past = history?.days ?? [];
  const spent = past.at(-1)?.spent ?? 0;
  const future = listDaysAfter(past.at(-1)?.date, history?.last_day ?? null);
  const perDay = spent / Math.max(1, past.length);
  const leftAt = (daysAhead: number) => Math.max(0, limit - spent - perDay * daysAhead);
  const left = past.map((day) => Math.max(0, limit - day.spent));
  const forecast = [
    ...past.map((_, place) => (place === past.length - 1 ? leftAt(0) : null)),
    ...future.map((_, place) => leftAt(place + 1)),
  ];
  return {
    days: [...past.map(({ date }) => date), ...future],
    series: [
      { label: 'Left', color: cycleColorOf(0), values: [...left, ...future.map(() => null)] },
      ...(future.length > 0 ? [{ label: 'Forecast', color: 'var(--muted)', values: forecast }] : []),
    ],
  };
}

function listDaysAfter(day: string | undefined, last: string | null): string[] {
  if (day === undefined || last === null) return [];
  const days: string[] = [];
  for (let atMs = Date.parse(day) + dayMs; atMs <= Date.parse(last); atMs += dayMs)
    days.push(new Date(atMs).toISOString().slice(0, 10));
  return days;
}

export function BurnDownToggle({ budget }: { budget: Budget }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className={panelStyles.toggle}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} burn-down of ${describeLimit(budget)}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide burn-down' : 'Show burn-down'}
      </Button>
      {isOpen && <BurnDown budget={budget} />}
    </>
  );
}
