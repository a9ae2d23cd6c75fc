import type { WebhookEventStatus } from '@sluice/contract';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';

const marks: Readonly<Record<WebhookEventStatus, { kind: StatusKind; text: string }>> = {
  completed: { kind: 'ok', text: 'Completed' },
  failed: { kind: 'bad', text: 'Failed' },
  processing: { kind: 'pending', text: 'Processing' },
  pending: { kind: 'pending', text: 'Pending' },
};

export function EventStatus({ status }: { status: WebhookEventStatus }) {
  return <StatusMark kind={marks[status].kind}>{marks[status].text}</StatusMark>;
}
