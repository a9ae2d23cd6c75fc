import { localizeInstants } from '#lib/format-time.ts';
import styles from './failure-list.module.css';
import { StatusMark } from './status-mark.tsx';

export interface FailureListProps {
  /** Accessible name, for example `Failed rows`. */
  label: string;
  /** Objects that could not be changed, with the reasons. */
  failures: readonly { name: string; reason: string }[];
}

export function FailureList({ label, failures }: FailureListProps) {
  if (failures.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={label}>
      {failures.map(({ name, reason }) => (
        <li key={`${name} ${reason}`}>
          <StatusMark kind="bad">{`${name}: ${localizeInstants(reason)}`}</StatusMark>
        </li>
      ))}
    </ul>
  );
}
