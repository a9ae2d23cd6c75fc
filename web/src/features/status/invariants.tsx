import type { Operation } from '@sluice/contract';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatCount } from '../../lib/format-number.ts';
import styles from './screen.module.css';

/** Invariants with their values, which must be zero. */
export function Invariants({ invariants }: { invariants: Operation['invariants'] }) {
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
