import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser, Today as Facts } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatTitleDay } from '#lib/format-day.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatShortTime } from '#lib/format-time.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import type { LogsPlace } from '#lib/logs-place.ts';
import { useNow } from '#lib/use-now.ts';
import { Cockpit } from './cockpit.tsx';
import { FirstSteps } from './first-steps.tsx';
import panelsStyles from './panels.module.css';
import { firstStepsQuery, listDone, providerHealthQuery, todayQuery } from './queries.ts';
import styles from './screen.module.css';

// Loaded on demand, because the example call is shown only during setup or in the help drawer.
const loadCall = lazyFile(() => import('./call-panel.tsx'));
const CallPanel = lazyPart(loadCall, 'CallPanel', <SkeletonLines count={8} />);
const CallDrawer = lazyPart(loadCall, 'CallDrawer');

const labels = ['Requests', 'Refused', 'Near a limit', 'Open appeals', 'Cost'];

function TodayFigures({ today }: { today: Facts | undefined }) {
  const stats = today ? listFigures(today) : labels.map((label) => ({ label, value: undefined }));
  return <StatStrip label="Figures for today" stats={stats} />;
}

function listFigures(today: Facts) {
  const { date } = today;
  const refused = today.refused_requests.reduce((sum, { count }) => sum + count, 0);
  const values = [
    <LogsCount key="requests" day={date} count={today.total_requests} part={{ status: 'admitted' }} />,
    <LogsCount key="refused" day={date} count={refused} part={{ status: 'refused' }} />,
    <Link key="limits" to="/admin/users" search={{ near: true }}>
      {formatCount(today.users_near_limit)}
    </Link>,
    <Link key="appeals" to="/admin/users" search={{ tab: 'appeals' }}>
      {formatCount(today.open_appeals)}
    </Link>,
    <Link key="cost" to="/admin/logs" search={{ start: date, end: date, status: 'admitted' }}>
      {formatUsd(today.total_spend)}
    </Link>,
  ];
  const notes = [
    `${formatCount(today.failed_requests)} failed`,
    'not counted as requests',
    'users at 80% or more of a quota or budget',
    null,
    null,
  ];
  return labels.map((label, place) => ({ label, value: values[place], note: notes[place] ?? undefined }));
}

/** Renders nothing while the setup state loads. */
export function OverviewScreen({ user }: { user: CurrentUser }) {
  useDocumentTitle('Overview · Sluice');
  const { data: steps, error } = useQuery(firstStepsQuery);
  const isSetUp = steps !== undefined && !listDone(steps).includes(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const wasHelpOpened = useEverTrue(isHelpOpen);
  usePreload(loadCall);
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        subtitle={`You administer the tenant ${user.tenant.name}.`}
        actions={
          isSetUp && (
            <Button variant="default" onClick={() => setHelpOpen(true)}>
              Call this gateway
            </Button>
          )
        }
      />
      {!steps && !error && <SkeletonLines count={8} />}
      {isSetUp && (
        <Cockpit>
          <Today />
        </Cockpit>
      )}
      {(error || steps) && !isSetUp && (
        <div className={styles.columns}>
          <FirstSteps />
          <CallPanel />
        </div>
      )}
      {isSetUp && wasHelpOpened && <CallDrawer isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />}
    </>
  );
}

interface BreakdownProps {
  title: string;
  none: string;
  rows: readonly { id?: string; name: string; count: ReactNode }[];
}

function Breakdown({ title, none, rows }: BreakdownProps) {
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className={panelsStyles.explanation}>{none}</p>
      ) : (
        <dl className={`num ${panelsStyles.breakdown}`}>
          {rows.map(({ id, name, count }) => (
            <div key={id ?? name}>
              <dt>{name}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Today() {
  const answer = useQuery(todayQuery);
  const { data: today } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading today');
  if (failure && today === undefined) return <Failure {...failure} />;
  return (
    <section className={`${panelsStyles.panel} ${styles.half}`} aria-labelledby="today">
      <header className={panelsStyles.header}>
        <h2 id="today">Today</h2>
        {today && <span className={panelsStyles.explanation}>{formatTitleDay(today.date)}</span>}
      </header>
      <div className={panelsStyles.today}>
        <TodayFigures today={today} />
        {today && <Breakdowns today={today} />}
      </div>
    </section>
  );
}

function ExpiringKeys({ today: { expiring_keys: keys, expiring_keys_count: count } }: { today: Facts }) {
  const more = count - keys.length;
  return (
    <>
      <Breakdown
        title="API keys that expire within 14 days"
        none="No API key expires soon."
        rows={keys.map(({ user_id, user_name, key_name, expires_at }) => ({
          id: `${user_id} ${key_name}`,
          name: key_name.includes(user_name) ? key_name : `${key_name} of ${user_name}`,
          count: <Expiry at={expires_at} userId={user_id} />,
        }))}
      />
      {more > 0 && <p className={panelsStyles.explanation}>{formatQuantity(more, 'more key')}</p>}
    </>
  );
}

const soonMs = 3 * 24 * 3_600_000;

function Expiry({ at, userId }: { at: string; userId: number }) {
  const isSoon = Date.parse(at) - useNow() < soonMs;
  const link = (
    <Link to="/admin/users" search={{ open: userId }}>
      {formatShortTime(at)}
    </Link>
  );
  return isSoon ? <StatusMark kind="warn">{link}</StatusMark> : link;
}

function Breakdowns({ today }: { today: Facts }) {
  const { data: instances } = useQuery(providerHealthQuery);
  const providerOf = (id: number) => instances?.find((one) => one.id === id)?.provider_key;
  return (
    <>
      <ExpiringKeys today={today} />
      <Breakdown
        title="Refused by reason"
        none="No requests were refused today."
        rows={today.refused_requests.map(({ reason, count }) => ({
          name: formatLabel(reason),
          count: <LogsCount day={today.date} count={count} part={{ status: 'refused', reason }} />,
        }))}
      />
      <Breakdown
        title="Failures by provider"
        none="No provider has failed today."
        rows={today.failing_providers.map(
          ({ llm_provider_id: id, provider_instance_name: name, requests, errors }) => ({
            name,
            count: (
              <Link
                to="/admin/logs"
                search={{ start: today.date, end: today.date, status: 'error', provider: providerOf(id) }}
              >
                {formatCount(errors)} of {formatQuantity(requests, 'request')}
              </Link>
            ),
          }),
        )}
      />
    </>
  );
}

function LogsCount({ day, count, part }: { day: string; count: number; part: LogsPlace }) {
  return (
    <Link to="/admin/logs" search={{ start: day, end: day, ...part }}>
      {formatCount(count)}
    </Link>
  );
}
