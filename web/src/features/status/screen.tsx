import type { Operation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatCount } from '../../lib/format-number.ts';
import { Jobs } from './jobs.tsx';
import { Nodes } from './nodes.tsx';
import { operationQuery } from './queries.ts';
import styles from './screen.module.css';

/** State of the installation: nodes, database, jobs and invariants. */
export function StatusScreen() {
  const answer = useQuery(operationQuery);
  const operation = answer.data?.operation ?? undefined;
  const failure = describeFailure(answer, 'The status could not be loaded');
  if (answer.data?.operation === null)
    return <EmptyState title="Only super administrators see the status." />;
  return (
    <>
      <PageHeader
        title="Status"
        subtitle={
          answer.data
            ? `Sluice ${answer.data.version}, read again every 10 seconds`
            : 'How the installation does'
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
  const { nodes, database, mails_waiting } = operation ?? {};
  const sum = (count: (node: Operation['nodes'][number]) => number) =>
    nodes?.reduce((total, node) => total + count(node), 0);
  const ready = sum((node) => node.workers_ready);
  const workers = sum((node) => node.workers);
  return [
    {
      label: 'Workers',
      value: workers === undefined ? undefined : `${ready} of ${workers}`,
      note: 'take requests',
    },
    { label: 'In flight', value: sum((node) => node.requests_in_flight), note: 'requests' },
    { label: 'Mails waiting', value: mails_waiting, note: 'to be sent' },
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

/** Models of instances that are not called at present. */
function OpenCircuits({ circuits }: { circuits: Operation['circuits'] }) {
  return (
    <section aria-labelledby="circuits">
      <h2 id="circuits">Open circuits</h2>
      {circuits.length === 0 && <p className={styles.quiet}>Every provider is called.</p>}
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
              <StatusMark kind="bad">Open</StatusMark> <span className={styles.quiet}>tried again </span>
              <Time value={circuit.retry_at} />
            </span>
          </li>
        )}
      </PanelList>
    </section>
  );
}

/** Invariants with their values, which must be zero. */
function Invariants({ invariants }: { invariants: Operation['invariants'] }) {
  const rows = [
    {
      text: "Tenants whose balance is not their ledger's",
      count: invariants.ledger_drift_tenants,
    },
    { text: 'Limits that lease another amount than the nodes hold', count: invariants.allowance_drift },
    { text: 'Workers lost in the last day with what they had not shipped', count: invariants.lost_nodes },
  ];
  return (
    <section aria-labelledby="invariants">
      <h2 id="invariants">What must be zero</h2>
      <PanelList label="What must be zero" items={rows}>
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
