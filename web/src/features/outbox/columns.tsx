import type { Mail } from '@sluice/contract';
import { NarrowOnly } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { NameLine, SecondLine } from '../../components/ui/lines.tsx';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';

const marks: Readonly<Record<Mail['status'], { kind: StatusKind; text: string }>> = {
  queued: { kind: 'pending', text: 'Queued' },
  sent: { kind: 'ok', text: 'Sent' },
  failed: { kind: 'bad', text: 'Failed' },
  withdrawn: { kind: 'off', text: 'Withdrawn' },
  held: { kind: 'warn', text: 'Needs forwarding' },
};

export const outboxColumns: readonly Column<Mail>[] = [
  {
    name: 'To',
    isPinned: true,
    isHideable: false,
    sortBy: ({ to_address }) => to_address,
    csv: ({ to_address, subject }) => `${to_address}: ${subject}`,
    cell: (mail) => (
      <>
        <NameLine>{mail.to_address}</NameLine>
        <SecondLine title={mail.subject}>{mail.subject}</SecondLine>
        <NarrowOnly>
          <MailStatus mail={mail} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Status',
    width: '9rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: (mail) => <MailStatus mail={mail} />,
  },
  {
    name: 'Written',
    width: '9rem',
    showFrom: 'medium',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time value={created_at} isTabStop={false} />,
  },
  {
    name: 'Sent',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ sent_at }) => sent_at ?? '',
    cell: ({ sent_at }) => (sent_at === null ? 'Not yet' : <Time value={sent_at} isTabStop={false} />),
  },
];

function MailStatus({ mail: { status, error } }: { mail: Mail }) {
  const { kind, text } = marks[status];
  return (
    <span title={error ?? undefined}>
      <StatusMark kind={kind}>{text}</StatusMark>
    </span>
  );
}
