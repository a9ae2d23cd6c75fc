import type { Operation } from '@sluice/contract';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatCount } from '../../lib/format-number.ts';
import styles from './screen.module.css';

type Node = Operation['nodes'][number];

/** Latest reported status of each node. */
export function Nodes({ nodes }: { nodes: readonly Node[] }) {
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
      {nodes.length === 0 && <p className={styles.quiet}>No node has said anything in the last minute.</p>}
    </section>
  );
}

function NodeState({ node }: { node: Node }) {
  if (node.unready_reason !== null) return <StatusMark kind="bad">{node.unready_reason}</StatusMark>;
  if (node.workers_ready < node.workers)
    return <StatusMark kind="warn">Some workers take no requests</StatusMark>;
  return <StatusMark kind="ok">Takes requests</StatusMark>;
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
      <Fact name="Last heard">
        <Time value={node.seen_at} />
      </Fact>
      <Fact name="In flight">{formatCount(node.requests_in_flight)}</Fact>
      <Fact name="Memory">{formatBytes(node.memory_bytes)}</Fact>
      <Fact name="Journal">
        {backlogBytes === 0
          ? 'All is in the database'
          : `${formatBytes(backlogBytes)} to ship, for ${Math.round(backlogSeconds)} s`}
      </Fact>
      <Fact name="Open circuits">{formatCount(node.circuits_open)}</Fact>
    </FactList>
  );
}
