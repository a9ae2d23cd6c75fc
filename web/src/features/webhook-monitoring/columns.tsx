import type { WebhookEvent, WebhookEventStatus } from '@sluice/contract';
import { NarrowOnly, RowLink } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { SecondLine } from '#components/ui/lines.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';

const marks: Readonly<Record<WebhookEventStatus, { kind: StatusKind; text: string }>> = {
  completed: { kind: 'ok', text: 'Completed' },
  failed: { kind: 'bad', text: 'Failed' },
  processing: { kind: 'pending', text: 'Processing' },
  pending: { kind: 'pending', text: 'Pending' },
};

export function EventStatus({ status }: { status: WebhookEventStatus }) {
  return <StatusMark kind={marks[status].kind}>{marks[status].text}</StatusMark>;
}

const shownIdLength = 24;

export const webhookColumns: readonly Column<WebhookEvent>[] = [
  {
    name: 'Event ID',
    isPinned: true,
    isHideable: false,
    sortBy: ({ event_id }) => event_id,
    cell: (event) => (
      <>
        <RowLink id={event.id}>
          <code title={event.event_id}>{shorten(event.event_id)}</code>
        </RowLink>
        <NarrowOnly>
          <SecondLine>{event.event_type}</SecondLine>
          <EventStatus status={event.status} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Type',
    width: '16rem',
    showFrom: 'medium',
    sortBy: ({ event_type }) => event_type,
    cell: ({ event_type }) => event_type,
  },
  {
    name: 'Status',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <EventStatus status={status} />,
  },
  {
    name: 'Created',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time value={created_at} isTabStop={false} />,
  },
  {
    name: 'Processed',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ processed_at }) => processed_at ?? '',
    cell: ({ processed_at }) =>
      processed_at === null ? (
        <span className="quiet">Not yet</span>
      ) : (
        <Time value={processed_at} isTabStop={false} />
      ),
  },
  {
    name: 'Retries',
    width: '6rem',
    align: 'end',
    showFrom: 'wide',
    sortBy: ({ retry_count }) => retry_count,
    cell: ({ retry_count }) => retry_count,
  },
];

function shorten(eventId: string): string {
  return eventId.length > shownIdLength ? `${eventId.slice(0, shownIdLength)}…` : eventId;
}
