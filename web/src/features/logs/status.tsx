import type { LogEntry } from '@sluice/contract';
import { describeStatus, StatusMark, statusMarks } from '#components/ui/status-mark.tsx';

export const logStatusName = (status: LogEntry['status']) => statusMarks[status].word;

export function StatusWord({ log: { status } }: { log: LogEntry }) {
  return <StatusMark kind={statusMarks[status].kind}>{statusMarks[status].word}</StatusMark>;
}

export function LogStatus({ log }: { log: LogEntry }) {
  return (
    <span title={describeStatus(log)}>
      <StatusMark kind={statusMarks[log.status].kind}>{describeStatus(log)}</StatusMark>
    </span>
  );
}
