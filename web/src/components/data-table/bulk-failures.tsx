import { CloseButton } from '@mantine/core';
import { formatCount } from '../../lib/format-number.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import type { BulkFailure } from './run-bulk.ts';
import styles from './selection-bar.module.css';

interface BulkFailuresProps<Row> {
  failures: readonly BulkFailure<Row>[];
  nameOf: (row: Row) => string;
  onDismiss: () => void;
}

/** The rows that an act over many failed for, each with the reason; they stay selected for another try. */
export function BulkFailures<Row>({ failures, nameOf, onDismiss }: BulkFailuresProps<Row>) {
  if (failures.length === 0) return null;
  return (
    <div role="alert" className={styles.failures}>
      <div className={styles.failuresHead}>
        <StatusMark kind="bad">{`${formatCount(failures.length)} failed and stay selected`}</StatusMark>
        <CloseButton aria-label="Dismiss" onClick={onDismiss} />
      </div>
      <ul>
        {failures.map(({ row, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name, and the list never changes
          <li key={index}>
            {nameOf(row)}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
