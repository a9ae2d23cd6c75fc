import type { CurrentUser, User } from '@sluice/contract';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Failure } from '../../components/ui/failure.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { RefreshButton } from '../../components/ui/refresh-button.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatTitleDay } from '../../lib/format-day.ts';
import { useNow } from '../../lib/use-now.ts';
import { DeviationChart } from './deviation-chart.tsx';
import { Figures } from './figures.tsx';
import { IntentChart } from './intent-chart.tsx';
import { KeysChart } from './keys-chart.tsx';
import { ModelsChart } from './models-chart.tsx';
import { dayIn, findPeriod, findPeriodProblem } from './period.ts';
import { dailyUsageQuery, type Scope, usageFiguresQuery } from './queries.ts';
import { RangeTools } from './range-tools.tsx';
import { RefusalsChart } from './refusals-chart.tsx';
import styles from './screen.module.css';
import { type AnalyticsSearch, analyticsSearch } from './search.ts';
import { SpendChart } from './spend-chart.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsersChart } from './users-chart.tsx';

interface AnalyticsScreenProps {
  tenant: CurrentUser['tenant'];
  /** Users to filter by. */
  users: readonly User[];
}

/** Usage by user, model and task, with its cost. */
export function AnalyticsScreen({ tenant, users }: AnalyticsScreenProps) {
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
        subtitle={`What the gate let through, by whom, for what; days are those of ${tenant.time_zone}`}
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
        onChange={change}
      />
      {problem === null && <Dashboard scope={{ period, userId: search.user }} />}
    </>
  );
}

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
      {usage.data && <DeletedDays scope={scope} keptSince={usage.data.kept_since} />}
      <Figures scope={scope} />
      <div className={styles.charts}>
        <div className={styles.wide}>
          <UsageChart scope={scope} />
        </div>
        <div className={styles.narrow}>
          <IntentChart scope={scope} />
        </div>
        <div className={styles.narrow}>
          <ModelsChart scope={scope} />
        </div>
        <div className={styles.wide}>
          <SpendChart scope={scope} days={days} />
        </div>
        <div className={styles.half}>
          <UsageChart scope={scope} type="users" />
        </div>
        <div className={styles.half}>
          <UsersChart scope={scope} />
        </div>
        <div className={styles.wide}>
          <DeviationChart scope={scope} />
        </div>
        <div className={styles.narrow}>
          <RefusalsChart scope={scope} days={days} />
        </div>
        <div className={styles.whole}>
          <KeysChart scope={scope} />
        </div>
      </div>
    </div>
  );
}

/** Notice that figures of deleted days are missing, since they look like days without usage. */
function DeletedDays({ scope: { period }, keptSince }: { scope: Scope; keptSince: string }) {
  if (period.start >= keptSince) return null;
  return (
    <Notice kind="warn" title={`Usage before ${formatTitleDay(keptSince)} has been deleted`}>
      The days before it show zero. How long usage is kept is a setting of the tenant.
    </Notice>
  );
}
