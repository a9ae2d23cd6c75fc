import type { Operation } from '@sluice/contract';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import styles from './screen.module.css';

/** Models of instances that are not called at present. */
export function OpenCircuits({ circuits }: { circuits: Operation['circuits'] }) {
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
