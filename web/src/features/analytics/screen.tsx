import type { CurrentUser, UsageFigures } from '@sluice/contract';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type LinkOf, tabulateItems } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { ShareChart } from '#components/charts/lazy-charts.tsx';
import { NearView } from '#components/charts/near-view.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { usersQuery } from '#features/users/index.ts';
import { intentColorOf } from '#lib/chart-colors.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { dayIn, formatTitleDay } from '#lib/format-day.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity, formatTokens } from '#lib/format-number.ts';
import type { UsageChoices } from '#lib/usage-choices.ts';
import { useNow } from '#lib/use-now.ts';
import { Change } from './change.tsx';
import { DeviationChart } from './deviation-chart.tsx';
import { findChange } from './find-change.ts';
import { KeysChart } from './keys-chart.tsx';
import { LabelsChart } from './labels-chart.tsx';
import { ModelsChart } from './models-chart.tsx';
import {
  dailyUsageQuery,
  findPeriod,
  findPeriodBefore,
  findPeriodProblem,
  type Scope,
  type UsageFilters,
  usageFiguresQuery,
} from './queries.ts';
import { RangeTools } from './range-tools.tsx';
import { RefusalsChart } from './refusals-chart.tsx';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import styles from './screen.module.css';
import { type AnalyticsSearch, analyticsSearch } from './search.ts';
import { SpendChart } from './spend-chart.tsx';
import { intentKinds, type Metric, metricFormats, metrics } from './switches.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsersChart } from './users-chart.tsx';

function Figures({ scope }: { scope: Scope }) {
  const { data } = useQuery(usageFiguresQuery(scope));
  const periodBefore = findPeriodBefore(scope.period);
  const { data: before } = useQuery(usageFiguresQuery({ ...scope, period: periodBefore }));
  const stats = figures.map(({ label, read, format }) => ({
    label,
    value: data && <RowsLink place={rowsOf(scope)}>{format(read(data))}</RowsLink>,
    note:
      data && before ? (
        <Change change={findChange(read(data), read(before), periodBefore, before.used_since)} />
      ) : (
        <>&nbsp;</>
      ),
  }));
  return <StatStrip label="Usage" stats={stats} />;
}

interface Figure {
  label: string;
  read: (usage: UsageFigures) => number;
  format: (value: number) => ReactNode;
}

const formatAverage = (value: number) => formatCount(Math.round(value * 10) / 10);

const figures: readonly Figure[] = [
  { label: 'Total Requests', read: (usage) => usage.total_requests, format: formatCount },
  { label: 'Avg Requests/Day', read: (usage) => usage.avg_requests_per_day, format: formatAverage },
  {
    label: 'Total Tokens',
    read: (usage) => usage.total_tokens_used,
    format: (tokens) => <span title={formatQuantity(tokens, 'token')}>{formatTokens(tokens)}</span>,
  },
  { label: 'Total Cost', read: (usage) => usage.cost_usd, format: formatUsd },
  { label: 'Active Users', read: (usage) => usage.active_users, format: formatCount },
];

const heading = 'Intent Classification Distribution';

function IntentChart({ scope }: { scope: Scope }) {
  const { data, isPending } = useQuery(usageFiguresQuery(scope));
  const [kind, setKind] = useState<(typeof intentKinds)[number]['value']>('pie');
  const openRows = useOpenRows();
  const [metric, setMetric] = useState<Metric>('requests');
  const read = { requests: 'requests', tokens: 'tokens', cost: 'cost_usd' } as const;
  const intents = (data?.intents ?? []).toSorted((one, other) => other[read[metric]] - one[read[metric]]);
  const items = intents.map((row) => ({
    label: formatLabel(row.intent),
    value: row[read[metric]],
    color: intentColorOf(row.intent),
  }));
  const placeOf = (place: number) => rowsOf(scope, { intent: intents[place]?.intent ?? '' });
  const linkOf: LinkOf = (place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>;
  return (
    <ChartPanel
      heading={heading}
      switches={
        <>
          <SegmentedSwitch label="Metric" options={metrics} value={metric} onChange={setMetric} />
          <SegmentedSwitch label="Chart type" options={intentKinds} value={kind} onChange={setKind} />
        </>
      }
      table={tabulateItems(
        items,
        { label: 'Intent', value: formatLabel(metric) },
        metricFormats[metric].tick,
      )}
      emptyText="No intent data available"
      isLoading={isPending}
      linkOf={linkOf}
    >
      <ShareChart
        label={heading}
        kind={kind}
        items={items}
        unit={metric}
        formatValue={metricFormats[metric].tick}
        labelLimit={20}
        linkOf={linkOf}
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}

interface AnalyticsScreenProps {
  tenant: CurrentUser['tenant'];
  choices: UsageChoices;
}

export function AnalyticsScreen({ tenant, choices }: AnalyticsScreenProps) {
  const { data: users = [] } = useQuery(usersQuery);
  const search = analyticsSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const today = dayIn(tenant.time_zone, useNow());
  const period = findPeriod(search, today);
  const problem = findPeriodProblem(period);
  const isFetching = useIsFetching({ queryKey: ['analytics'] }) > 0;
  const change = (changes: Partial<AnalyticsSearch>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...changes }), resetScroll: false });
  return (
    <>
      <PageHeader
        title="Analytics Dashboard"
        subtitle={`Usage and cost by user, team, task and model. Days are in ${tenant.time_zone}`}
        actions={
          <RefreshButton
            isBusy={isFetching}
            onRefresh={() => void queryClient.invalidateQueries({ queryKey: ['analytics'] })}
          />
        }
      />
      <RangeTools
        search={search}
        period={period}
        problem={problem}
        today={today}
        users={users}
        choices={choices}
        onChange={change}
      />
      {problem === null && <Dashboard scope={{ period, filters: pickFilters(search) }} />}
    </>
  );
}

const pickFilters = ({ user, team, task, model, provider, key, label }: AnalyticsSearch): UsageFilters => ({
  user,
  team,
  task,
  model,
  provider,
  key,
  label,
});

function Dashboard({ scope }: { scope: Scope }) {
  const usage = useQuery(usageFiguresQuery(scope));
  const daily = useQuery(dailyUsageQuery(scope));
  const failed = [usage, daily].find(({ error }) => error !== null);
  const failure = failed && describeFailure(failed, 'Unknown error', 'Error loading analytics');
  if (failure && failed.data === undefined) return <Failure {...failure} />;
  const days = daily.data?.map(({ date }) => date) ?? [];
  const isLoading = [usage, daily].some((answer) => answer.isPending || answer.isPlaceholderData);
  return (
    <div className={styles.dashboard} aria-busy={isLoading}>
      {failure && <Failure {...failure} />}
      {isLoading && (
        <p className={styles.loading} role="status">
          Loading analytics
        </p>
      )}
      {usage.data?.total_requests === 0 && <NoRequests isFiltered={isFiltered(scope)} />}
      {usage.data && <DeletedDays scope={scope} keptSince={usage.data.kept_since} />}
      <Figures scope={scope} />
      <Charts scope={scope} days={days} />
    </div>
  );
}

function Charts({ scope, days }: { scope: Scope; days: readonly string[] }) {
  return (
    <div className={styles.charts}>
      <div className={styles.wide}>
        <UsageChart scope={scope} />
      </div>
      <div className={styles.narrow}>
        <UsageChart scope={scope} type="users" />
      </div>
      <div className={styles.narrow}>
        <IntentChart scope={scope} />
      </div>
      <div className={styles.wide}>
        <ModelsChart scope={scope} />
      </div>
      <NearView>
        <KeysChart scope={scope} />
      </NearView>
      <NearView className={styles.wide}>
        <SpendChart scope={scope} days={days} />
      </NearView>
      <NearView className={styles.narrow}>
        <UsersChart scope={scope} />
      </NearView>
      <NearView className={styles.wide}>
        <DeviationChart scope={scope} />
      </NearView>
      <NearView className={styles.narrow}>
        <RefusalsChart scope={scope} days={days} />
      </NearView>
      <div>
        <LabelsChart scope={scope} />
      </div>
    </div>
  );
}

const isFiltered = ({ filters }: Scope) => Object.values(filters).some((value) => value !== undefined);

function NoRequests({ isFiltered: hasFilters }: { isFiltered: boolean }) {
  const title = hasFilters
    ? 'No requests match this period and these filters'
    : 'There are no requests in this period';
  return (
    <Notice kind="off" title={title}>
      Choose another period, or <Link to="/admin">send a request</Link>.
    </Notice>
  );
}

/** Days deleted by the retention policy would otherwise look like days without usage. */
function DeletedDays({ scope: { period }, keptSince }: { scope: Scope; keptSince: string }) {
  if (period.start >= keptSince) return null;
  return (
    <Notice kind="warn" title={`Usage before ${formatTitleDay(keptSince)} has been deleted`}>
      Earlier days show zero. The retention period is set in Settings.
    </Notice>
  );
}
