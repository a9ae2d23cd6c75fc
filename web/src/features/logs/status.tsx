import type { LogEntry } from '@sluice/contract';
import { describeRequestStatus, requestStatusMarks, StatusMark } from '#components/ui/status-mark.tsx';

export const logStatusName = (status: LogEntry['status']) => requestStatusMarks[status].word;

export function StatusWord({ log: { status } }: { log: LogEntry }) {
  return <StatusMark kind={requestStatusMarks[status].kind}>{requestStatusMarks[status].word}</StatusMark>;
}

export function LogStatus({ log }: { log: LogEntry }) {
  return (
    <span title={describeRequestStatus(log)}>
      <StatusMark kind={requestStatusMarks[log.status].kind}>{describeRequestStatus(log)}</StatusMark>
    </span>
  );
}
