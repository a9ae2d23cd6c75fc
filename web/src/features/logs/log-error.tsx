import type { LogEntry } from '@sluice/contract';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import styles from './log-error.module.css';

export const hasFailed = (log: LogEntry) => (log.error_message ?? log.error_code) !== null;

export function LogError({ log }: { log: LogEntry }) {
  return (
    <div className={styles.error}>
      <StatusMark kind="bad">{log.error_message ?? 'No message'}</StatusMark>
      {log.error_code !== null && <code>{log.error_code}</code>}
    </div>
  );
}
