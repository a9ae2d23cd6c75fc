import type { LogEntry } from '@sluice/contract';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';

const marks: Record<LogEntry['status'], { kind: StatusKind; word: string }> = {
  success: { kind: 'ok', word: 'Success' },
  error: { kind: 'bad', word: 'Error' },
  client_closed: { kind: 'off', word: 'Client closed' },
  refused: { kind: 'warn', word: 'Refused' },
};

export const logStatusName = (status: LogEntry['status']) => marks[status].word;

export function LogStatus({ status }: { status: LogEntry['status'] }) {
  const { kind, word } = marks[status];
  return <StatusMark kind={kind}>{word}</StatusMark>;
}
