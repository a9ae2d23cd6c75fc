import type { TopUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Item, type LinkOf, tabulateItems } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars, ShareChart } from '#components/charts/lazy-charts.tsx';
import { useIsNear } from '#components/charts/near-view.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { entityColorsOf } from '#lib/chart-colors.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatScore, formatTokens } from '#lib/format-number.ts';
import { formatShortTime } from '#lib/format-time.ts';
import { type Scope, topUsersQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { barFirstKinds, type Metric, measureOf, metricFormats, metrics } from './switches.ts';
import styles from './users-chart.module.css';

const heading = 'Top Users by Usage';
const labelLimits = { bar: 15, pie: 12 };

export function UsersChart({ scope }: { scope: Scope }) {
  const [metric, setMetric] = useState<Metric>('cost');
  const [kind, setKind] = useState<(typeof barFirstKinds)[number]['value']>('bar');
  const { data: users = [], isPending } = useQuery({ ...topUsersQuery(scope, metric), enabled: useIsNear() });
  const openRows = useOpenRows();
  const colorOf = entityColorsOf(
    'user',
    users.map(({ user_id }) => user_id),
  );
  const items = users.map((user) => toItem(user, metric, colorOf(user.user_id)));
  const placeOf = (place: number) => rowsOf(scope, { user: users[place]?.user_id ?? 0 });
  const linkOf: LinkOf = (place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>;
  const chart = { label: heading, items, onPick: (place: number) => openRows(placeOf(place)) };
  return (
    <ChartPanel
      heading={heading}
      switches={
        <>
          <SegmentedSwitch label="Metric" options={metrics} value={metric} onChange={setMetric} />
          <SegmentedSwitch label="Chart type" options={barFirstKinds} value={kind} onChange={setKind} />
        </>
      }
      table={tabulateItems(items, { label: 'User', value: 'Requests' })}
      emptyText="No user data available"
      isLoading={isPending}
      linkOf={linkOf}
      footer={users.length > 0 && <People users={users} />}
    >
      {kind === 'bar' ? (
        <CategoryBars {...chart} labelLimit={labelLimits.bar} formatValue={metricFormats[metric].tick} />
      ) : (
        <ShareChart
          {...chart}
          kind={kind}
          unit={metric}
          formatValue={metricFormats[metric].tick}
          labelLimit={labelLimits.pie}
          linkOf={linkOf}
        />
      )}
    </ChartPanel>
  );
}

function People({ users }: { users: readonly TopUser[] }) {
  return (
    <ul className={styles.people} aria-label="Details of these users">
      <li>Details of</li>
      {users.map(({ user_id, user_name }) => (
        <li key={user_id}>
          <Link to="/admin/users" search={{ open: user_id }}>
            {user_name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const toItem = (user: TopUser, metric: Metric, color: string): Item => ({
  label: user.user_name,
  value: measureOf(user, metric),
  color,
  details: [
    ['Requests', formatCount(user.total_requests)],
    ['Tokens', formatTokens(user.total_tokens)],
    ['Cost', formatUsd(user.cost_usd)],
    ['Mean deviation', describeScore(user.average_deviation_score)],
    ['Last request', formatShortTime(user.last_request)],
  ],
});

const describeScore = (score: number | null) =>
  score === null ? 'Not scored' : `${formatScore(score)} of 1`;
