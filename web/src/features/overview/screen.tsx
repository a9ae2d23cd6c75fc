import { Button, SegmentedControl } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { CurrentUser, Today as Facts } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { readActingTenant } from '#lib/acting-tenant.ts';
import { chatSnippet, pickModel, snippetLanguages } from '#lib/chat-snippet.ts';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatTitleDay } from '#lib/format-day.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatDuration } from '#lib/format-time.ts';
import type { LogsPlace } from '#lib/logs-place.ts';
import { useRemembered } from '#lib/remembered.ts';
import { FirstSteps } from './first-steps.tsx';
import panelsStyles from './panels.module.css';
import { firstStepsQuery, listDone, llmProvidersQuery, todayQuery, useTryRequest } from './queries.ts';
import styles from './screen.module.css';

const labels = ['Requests', 'Refused', 'Near a limit', 'Open appeals', 'Spend'];

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
    <Link key="limits" to="/admin/users">
      {formatCount(today.users_near_limit)}
    </Link>,
    <Link key="appeals" to="/admin/users" search={{ tab: 'appeals' }}>
      {formatCount(today.open_appeals)}
    </Link>,
    <Link key="spend" to="/admin/analytics" search={{ start: date, end: date }}>
      {formatUsd(today.total_spend)}
    </Link>,
  ];
  const notes = [`${formatCount(today.failed_requests)} failed`, null, 'users at 80% or more', null, null];
  return labels.map((label, place) => ({ label, value: values[place], note: notes[place] ?? undefined }));
}

const sandboxModel = 'sandbox-normal';

/** How to call the gateway: base URL and an example in the language selected last. */
function CallPanel() {
  const { data: providers = [] } = useQuery(llmProvidersQuery);
  const [language, setLanguage] = useRemembered('snippet', snippetLanguages);
  const model = pickModel(providers) ?? sandboxModel;
  const { origin } = window.location;
  return (
    <section className={panelsStyles.panel} aria-labelledby="call">
      <header className={panelsStyles.header}>
        <h2 id="call">Call this gateway</h2>
      </header>
      <div className={panelsStyles.call}>
        <p className={panelsStyles.explanation}>Any OpenAI client works with this base URL and an API key.</p>
        <Snippet title="Base URL" text={`${origin}/api/v1`} />
        <SegmentedControl
          aria-label="Language of the example"
          data={[...snippetLanguages]}
          value={language}
          onChange={(choice) => setLanguage(choice)}
        />
        <Snippet title={language} text={chatSnippet(language, origin, model)} />
        <TryRequest key={model} model={model} />
      </div>
    </section>
  );
}

export function OverviewScreen({ user }: { user: CurrentUser }) {
  useDocumentTitle('Overview · Sluice');
  const { data: steps } = useQuery(firstStepsQuery);
  const isSetUp = steps !== undefined && !listDone(steps).includes(false);
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        subtitle={`You administer the tenant ${user.tenant.name}.`}
      />
      <div className={styles.columns}>
        {isSetUp ? <Today /> : <FirstSteps />}
        <CallPanel />
      </div>
    </>
  );
}

interface BreakdownProps {
  title: string;
  /** Text shown without rows. */
  none: string;
  rows: readonly { name: string; count: ReactNode }[];
}

/** Breakdown of a figure. */
function Breakdown({ title, none, rows }: BreakdownProps) {
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className={panelsStyles.explanation}>{none}</p>
      ) : (
        <dl className={`num ${panelsStyles.breakdown}`}>
          {rows.map(({ name, count }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Sends the example from the page, without a key or a shell. */
function TryRequest({ model }: { model: string }) {
  const { data, error, isPending, mutate } = useTryRequest(model);
  if (readActingTenant() !== null) return null;
  return (
    <div className={panelsStyles.attempt}>
      <div className={panelsStyles.send}>
        <Button variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? 'Waiting for the answer...' : 'Send it now'}
        </Button>
        <span className="quiet">Sent as you, without a key. It counts and costs like any other request.</span>
      </div>
      <div role="status">
        {data && (
          <>
            <StatusMark kind="ok">
              {model} answered in {formatDuration(data.durationMs)}.{' '}
              <Link to="/admin/logs" search={{ open: data.requestId }}>
                Open the request
              </Link>
            </StatusMark>
            <p className={panelsStyles.answer}>{data.text || 'The answer has no text.'}</p>
          </>
        )}
        {error && <StatusMark kind="bad">{messageOf(error, 'The gateway cannot be reached.')}</StatusMark>}
      </div>
    </div>
  );
}

/** Figures for today, each linked to its rows. */
function Today() {
  const answer = useQuery(todayQuery);
  const { data: today } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading today');
  if (failure && today === undefined) return <Failure {...failure} />;
  return (
    <section className={panelsStyles.panel} aria-labelledby="today">
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

function Breakdowns({ today }: { today: Facts }) {
  return (
    <>
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
        rows={today.failing_providers.map(({ provider_instance_name: name, requests, errors }) => ({
          name,
          count: (
            <Link to="/admin/llm-providers">
              {formatCount(errors)} of {formatQuantity(requests, 'request')}
            </Link>
          ),
        }))}
      />
    </>
  );
}

/** Number of requests of a day, linked to the log. */
function LogsCount({ day, count, part }: { day: string; count: number; part: LogsPlace }) {
  return (
    <Link to="/admin/logs" search={{ start: day, end: day, ...part }}>
      {formatCount(count)}
    </Link>
  );
}
