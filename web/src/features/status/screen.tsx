import type { Operation } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { OpenCircuits } from './circuits.tsx';
import { Invariants } from './invariants.tsx';
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
