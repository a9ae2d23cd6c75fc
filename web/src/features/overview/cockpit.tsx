import type { DailyUsage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { cycleColorOf } from '#lib/chart-colors.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd, formatUsdTick } from '#lib/format-money.ts';
import { formatCount, formatQuantity, formatShare } from '#lib/format-number.ts';
import { countFailures, type HealthFigures, healthKind } from '#lib/provider-health.ts';
import panelsStyles from './panels.module.css';
import { Panel, Ranking, RowsLink } from './panels.tsx';
import { failedJobsQuery, leadersQuery, monthQuery, providerHealthQuery } from './queries.ts';
import styles from './screen.module.css';

/** Figures of the last 30 days, top users, teams and models, and items that need attention. */
export function Cockpit({ children }: { children: ReactNode }) {
  return (
    <div className={styles.cockpit}>
      <Month />
      <Leaders />
      {children}
      <div className={styles.half}>
        <ProviderHealth />
        <FailedJobs />
      </div>
    </div>
  );
}

const chartHeightPx = 180;

function Month() {
  const answer = useQuery(monthQuery);
  const { data } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the last 30 days');
  if (failure && !data) return <Failure {...failure} />;
  const dates = data?.map(({ date }) => date) ?? [];
  const values = data?.map(({ cost_usd }) => cost_usd) ?? [];
  const series = [{ label: 'Cost', color: cycleColorOf(0), values }];
  return (
    <section className={styles.whole} aria-label="Last 30 days">
      <MonthFigures days={data} />
      <ChartPanel
        heading="Cost per day"
        unit="30 days"
        table={tabulateSeries(values.every((value) => value === 0) ? [] : dates, series, formatUsd)}
        emptyText="No cost in the last 30 days"
        isLoading={!data}
        height={chartHeightPx}
        linkOf={(place, name) => <DayLink day={dates[place] ?? ''}>{name}</DayLink>}
      >
        <TimeChart
          label="Cost per day"
          kind="bar"
          days={dates}
          series={series}
          formatValue={formatUsd}
          formatTick={formatUsd}
          formatAxis={formatUsdTick}
        />
      </ChartPanel>
    </section>
  );
}

function MonthFigures({ days }: { days: readonly DailyUsage[] | undefined }) {
  const sum = (read: (day: DailyUsage) => number) => days?.reduce((total, day) => total + read(day), 0) ?? 0;
  const range = { start: days?.[0]?.date, end: days?.at(-1)?.date, status: 'admitted' } as const;
  const link = (text: string) =>
    days && (
      <Link to="/admin/logs" search={range}>
        {text}
      </Link>
    );
  return (
    <StatStrip
      label="Figures for 30 days"
      stats={[
        { label: 'Cost, 30 days', value: link(formatUsd(sum(({ cost_usd }) => cost_usd))) },
        { label: 'Requests, 30 days', value: link(formatCount(sum(({ requests }) => requests))) },
        { label: 'Tokens, 30 days', value: link(formatCount(sum(({ tokens }) => tokens))) },
      ]}
    />
  );
}

function DayLink({ day, children }: { day: string; children: ReactNode }) {
  return (
    <Link to="/admin/logs" search={{ start: day, end: day, status: 'admitted' }}>
      {children}
    </Link>
  );
}

function Leaders() {
  const answer = useQuery(leadersQuery);
  const { data } = answer;
  const { data: days } = useQuery(monthQuery);
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the top users');
  if (failure && !data) return <Failure {...failure} />;
  const range = { start: days?.[0]?.date, end: days?.at(-1)?.date, status: 'admitted' } as const;
  return (
    <>
      <Ranking
        title="Top users"
        none="No user has sent a request in 30 days."
        rows={data?.users.map((user) => ({
          ...user,
          key: user.user_id,
          name: <OpenLink to="/admin/users" open={user.user_id} name={user.user_name} />,
          place: { ...range, user: user.user_id },
        }))}
      />
      <Ranking
        title="Top teams"
        none="No team's grants were used in 30 days."
        rows={data?.teams.map(({ team_id: id, team_name: name, ...used }) => ({
          ...used,
          key: id ?? name,
          name: id === null ? name : <OpenLink to="/admin/teams" open={id} name={name} />,
          place: id === null ? null : { ...range, team: id },
        }))}
      />
      <Ranking
        title="Top models"
        none="No model was used in 30 days."
        rows={data?.models.map(({ model, provider_key: provider, ...used }) => ({
          ...used,
          key: `${provider} ${model}`,
          name: (
            <Link to="/admin/llm-providers" search={{ tab: 'models', filter: model }}>
              {model}
            </Link>
          ),
          place: { ...range, model, provider },
        }))}
      />
    </>
  );
}

interface OpenLinkProps {
  to: '/admin/users' | '/admin/teams';
  open: number;
  name: string;
}

function OpenLink({ to, open, name }: OpenLinkProps) {
  return (
    <Link to={to} search={{ open }}>
      {name}
    </Link>
  );
}

function ProviderHealth() {
  const answer = useQuery(providerHealthQuery);
  const data = answer.data?.filter(({ is_active }) => is_active);
  const isOnly = (provider: string) =>
    answer.data?.filter(({ provider_key }) => provider_key === provider).length === 1;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the health of providers');
  return (
    <Panel title="Provider health" note="24 hours">
      {failure && !data && <Failure {...failure} />}
      {data?.length === 0 && <p className={panelsStyles.explanation}>No provider is active.</p>}
      <dl className={`num ${panelsStyles.breakdown}`}>
        {data?.map(({ id, provider_key: provider, name, health }) => (
          <div key={id}>
            <dt>
              <Link to="/admin/llm-providers">{name}</Link>
            </dt>
            <dd>
              <Health health={health} provider={isOnly(provider) ? provider : null} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

interface HealthProps {
  health: HealthFigures | undefined;
  /** `null` if several instances share the registry key, because logs are filtered by this key. */
  provider: string | null;
}

function Health({ health, provider }: HealthProps) {
  if (!health || health.error_rate === null) return <StatusMark kind="off">No requests</StatusMark>;
  const { error_rate, requests, models_in_cooldown } = health;
  const cooldown =
    models_in_cooldown.length > 0
      ? `, ${formatQuantity(models_in_cooldown.length, 'model')} in cooldown`
      : '';
  return (
    <StatusMark kind={healthKind(health)}>
      <RowsLink place={provider === null ? null : placeOfFailures(provider, error_rate)}>
        {formatCount(countFailures(health))} of {formatQuantity(requests, 'request')} failed
        {error_rate > 0 && ` (${formatShare(error_rate)})`}
      </RowsLink>
      {cooldown}
    </StatusMark>
  );
}

const dayMs = 24 * 60 * 60 * 1000;
const bucketMs = 15 * 60 * 1000;

/** Links to the failed requests of the last 24 hours, or to all requests if none failed. */
function placeOfFailures(provider: string, errorRate: number) {
  const startMs = Math.ceil((Date.now() - dayMs) / bucketMs) * bucketMs;
  return {
    provider,
    status: errorRate > 0 ? ('error' as const) : ('admitted' as const),
    filter: `since:${new Date(startMs).toISOString().replace(':00.000', '')}`,
  };
}

/** Renders nothing for viewers who do not operate the installation. */
function FailedJobs() {
  const { data: jobs } = useQuery(failedJobsQuery);
  if (!jobs) return null;
  return (
    <Panel title="Failed jobs">
      {jobs.length === 0 && <p className={panelsStyles.explanation}>No job has failed.</p>}
      <dl className={`num ${panelsStyles.breakdown}`}>
        {jobs.map(({ name, failures }) => (
          <div key={name}>
            <dt>
              <Link to="/admin/status">{formatLabel(name.replaceAll('-', '_'))}</Link>
            </dt>
            <dd>
              <Link to="/admin/status">failed {formatQuantity(failures, 'time')}</Link>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
