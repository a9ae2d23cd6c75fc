import type { Job, Operation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { RunIcon } from '#components/ui/action-icons.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatBytes, formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatDuration, localizeInstants } from '#lib/format-time.ts';
import { operationQuery, useRunJob } from './queries.ts';
import styles from './screen.module.css';

function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      {jobs.length === 0 && <p className={styles.quiet}>No job is scheduled yet.</p>}
      <PanelList label="Jobs" items={jobs} noun="jobs">
        {(job) => (
          <li key={job.name} className={styles.item}>
            <span>{labelOf(job)}</span>
            <span className={`num ${styles.run}`}>
              <span>
                <LastRun job={job} />
              </span>
              <RunButton job={job} />
            </span>
            {job.last_error !== null && (
              <span className={styles.error}>{localizeInstants(job.last_error)}</span>
            )}
          </li>
        )}
      </PanelList>
    </section>
  );
}

const labelOf = ({ name }: Job) => formatLabel(name.replaceAll('-', '_'));

function LastRun({ job }: { job: Job }) {
  const { duration_ms, failures, last_error, next_at, started_at } = job;
  const hasFailed = last_error !== null;
  return (
    <>
      {job.is_running && <StatusMark kind="pending">Running</StatusMark>}
      {!job.is_running && started_at === null && <StatusMark kind="pending">Not run yet</StatusMark>}
      {!job.is_running && started_at !== null && (
        <StatusMark kind={hasFailed ? 'bad' : 'ok'}>{hasFailed ? 'Failed' : 'Succeeded'}</StatusMark>
      )}{' '}
      {started_at !== null && <Time value={started_at} isTabStop={false} />}{' '}
      <span className={styles.quiet}>
        {!hasFailed && duration_ms !== null && `in ${formatDuration(duration_ms)}`}
        {failures > 0 && ` · failed ${formatQuantity(failures, 'time')} so far`}
        {hasFailed && next_at !== null && ' · next attempt '}
      </span>
      {hasFailed && next_at !== null && <Time value={next_at} isTabStop={false} />}
    </>
  );
}

function RunButton({ job }: { job: Job }) {
  const { mutate: run, isPending } = useRunJob();
  return (
    <IconButton
      label={`Run ${labelOf(job)} now`}
      icon={RunIcon}
      disabled={isPending || job.is_running}
      onClick={() =>
        run(job.name, {
          onSuccess: () => showSuccess(`${labelOf(job)} starts within 5 seconds`),
          onError: (error) => showError(messageOf(error, 'Failed to run the job')),
        })
      }
    />
  );
}

export function StatusScreen() {
  const answer = useQuery(operationQuery);
  const operation = answer.data?.operation ?? undefined;
  const failure = describeFailure(answer, 'The status could not be loaded');
  if (answer.data?.operation === null)
    return <EmptyState title="Only super administrators can view the status." />;
  return (
    <>
      <PageHeader
        title="Status"
        subtitle={
          answer.data
            ? `Sluice ${answer.data.version}. This page refreshes every 10 seconds.`
            : 'State of the installation'
        }
      />
      {failure && operation && <Failure {...failure} />}
      <StatStrip label="Installation" stats={statsOf(operation)} failure={failure} />
      {operation && (
        <div className={styles.panels}>
          <Nodes nodes={operation.nodes} />
          <Invariants invariants={operation.invariants} />
          <OpenCircuits circuits={operation.circuits} />
          <Jobs jobs={operation.jobs} />
        </div>
      )}
    </>
  );
}

function statsOf(operation: Operation | undefined) {
  const { nodes, database, mails_waiting, mails_held = 0 } = operation ?? {};
  const sum = (count: (node: Operation['nodes'][number]) => number) =>
    nodes?.reduce((total, node) => total + count(node), 0);
  const ready = sum((node) => node.workers_ready);
  const workers = sum((node) => node.workers);
  const isUnreported = nodes?.length === 0;
  return [
    {
      label: 'Workers',
      value: workers === undefined ? undefined : isUnreported ? '–' : `${ready} of ${workers}`,
      note: isUnreported ? 'not reported yet' : 'accept requests',
    },
    {
      label: 'In flight',
      value: isUnreported ? '–' : sum((node) => node.requests_in_flight),
      note: isUnreported ? 'not reported yet' : 'requests',
    },
    {
      label: 'Emails waiting',
      value: mails_waiting,
      note:
        mails_held > 0
          ? `to be sent, ${formatCount(mails_held)} to be forwarded, in all tenants`
          : 'to be sent',
    },
    {
      label: 'Database',
      value: database && formatBytes(database.size_bytes),
      note: database && `PostgreSQL ${database.version}`,
    },
    {
      label: 'Connections',
      value: database?.connections,
      note: database && `of ${database.connections_max}`,
    },
  ];
}

/** The gateway does not call models whose circuit breaker is open. */
function OpenCircuits({ circuits }: { circuits: Operation['circuits'] }) {
  return (
    <section aria-labelledby="circuits">
      <h2 id="circuits">Open circuits</h2>
      {circuits.length === 0 && <p className={styles.quiet}>All circuits are closed.</p>}
      <PanelList label="Open circuits" items={circuits} noun="circuits">
        {(circuit) => (
          <li
            key={`${circuit.tenant_name}/${circuit.provider_instance_name}/${circuit.model}`}
            className={styles.item}
          >
            <span>
              {circuit.provider_instance_name} · {circuit.model}{' '}
              <span className={styles.quiet}>{circuit.tenant_name}</span>
            </span>
            <span>
              <StatusMark kind="bad">Open</StatusMark> <span className={styles.quiet}>next attempt </span>
              <Time value={circuit.retry_at} />
            </span>
          </li>
        )}
      </PanelList>
    </section>
  );
}

/** Each value must be zero. */
function Invariants({ invariants }: { invariants: Operation['invariants'] }) {
  const rows = [
    {
      text: 'Tenants whose balance differs from their ledger',
      count: invariants.ledger_drift_tenants,
    },
    {
      text: 'Limits whose leased amount differs from the amount that nodes hold',
      count: invariants.allowance_drift,
    },
    { text: 'Worker crashes with unsaved data in the last 24 hours', count: invariants.lost_nodes },
  ];
  return (
    <section aria-labelledby="invariants">
      <h2 id="invariants">Consistency checks</h2>
      <PanelList label="Consistency checks" items={rows}>
        {({ text, count }) => (
          <li key={text} className={styles.item}>
            <span>{text}</span>
            <Count count={count} />
          </li>
        )}
      </PanelList>
    </section>
  );
}

function Count({ count }: { count: number | null }) {
  if (count === null) return <StatusMark kind="pending">Not checked yet</StatusMark>;
  return <StatusMark kind={count === 0 ? 'ok' : 'bad'}>{formatCount(count)}</StatusMark>;
}

type Node = Operation['nodes'][number];

function Nodes({ nodes }: { nodes: readonly Node[] }) {
  return (
    <section aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <PanelList label="Nodes" items={nodes}>
        {(node) => (
          <li key={node.name}>
            <div className={styles.heading}>
              <span className={styles.name}>{node.name}</span>
              <NodeState node={node} />
            </div>
            <NodeFacts node={node} />
          </li>
        )}
      </PanelList>
      {nodes.length === 0 && (
        <p className={styles.quiet}>
          No report in the last minute. Each node reports every 10 seconds, including the one that serves this
          page.
        </p>
      )}
    </section>
  );
}

function NodeState({ node }: { node: Node }) {
  if (node.unready_reason !== null) return <StatusMark kind="bad">{node.unready_reason}</StatusMark>;
  if (node.workers_ready < node.workers)
    return <StatusMark kind="warn">Some workers do not accept requests</StatusMark>;
  return <StatusMark kind="ok">Accepts requests</StatusMark>;
}

function NodeFacts({ node }: { node: Node }) {
  const { journal_backlog_bytes: backlogBytes, journal_backlog_age_seconds: backlogSeconds } = node;
  return (
    <FactList>
      <Fact name="Version">{node.version}</Fact>
      <Fact name="Workers">
        {node.workers_ready} of {node.workers} ready
      </Fact>
      <Fact name="Started">
        <Time value={node.started_at} />
      </Fact>
      <Fact name="Last report">
        <Time value={node.seen_at} />
      </Fact>
      <Fact name="In flight">{formatCount(node.requests_in_flight)}</Fact>
      <Fact name="Memory">{formatBytes(node.memory_bytes)}</Fact>
      <Fact name="Journal">
        {backlogBytes === 0
          ? 'Everything is stored'
          : `${formatBytes(backlogBytes)} not yet stored, for ${formatDuration(backlogSeconds * 1_000)}`}
      </Fact>
      <Fact name="Open circuits">{formatCount(node.circuits_open)}</Fact>
      {node.replica && <Fact name="Read replica">{describeReplica(node.replica)}</Fact>}
    </FactList>
  );
}

function describeReplica({ lag_seconds: lagSeconds, problem }: NonNullable<Node['replica']>) {
  if (problem !== null) return <StatusMark kind="warn">Not used. {problem}</StatusMark>;
  if (lagSeconds === null) return <StatusMark kind="pending">Connecting</StatusMark>;
  return `In use, ${formatDuration(lagSeconds * 1_000)} behind`;
}
