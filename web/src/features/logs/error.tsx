import type { LogEntry } from '@sluice/contract';
import { Notice } from '../../components/ui/notice.tsx';
import { describeMissingText } from './describe-entry.ts';

export const hasFailed = (log: LogEntry) => (log.error_message ?? log.error_code) !== null;

export function LogError({ log }: { log: LogEntry }) {
  return (
    <Notice
      kind="bad"
      title={
        log.error_message ?? (log.prompt_privacy === 'metadata' ? describeMissingText(log) : 'No message')
      }
      action={log.error_code !== null && <code>{log.error_code}</code>}
    />
  );
}
