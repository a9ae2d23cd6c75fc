import type { AuditEntry } from '@sluice/contract';
import { NarrowOnly, RowLink, timeColumn } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { SecondLine } from '../../components/ui/lines.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { formatRowTime, formatShortTime } from '../../lib/format-time.ts';
import { describeAction, describeActor, describeObject, listChanges } from './describe-entry.ts';

/** Columns with times in the tenant's time zone, which the date filter uses too. */
export const auditColumnsIn = (timeZone: string): readonly Column<AuditEntry>[] => [
  {
    name: 'Change',
    isPinned: true,
    isHideable: false,
    csv: (entry) => `${describeAction(entry)}: ${describeObject(entry)}`,
    cell: (entry) => (
      <>
        <RowLink id={entry.id}>{describeAction(entry)}</RowLink>
        <SecondLine>{describeObject(entry)}</SecondLine>
        <NarrowOnly>
          <span className="num">
            {describeActor(entry)} · {formatShortTime(entry.created_at, timeZone)}
          </span>
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Actor',
    width: '20%',
    showFrom: 'medium',
    csv: (entry) => entry.actor_email ?? describeActor(entry),
    cell: (entry) => (
      <>
        {describeActor(entry)}
        <SecondLine>{entry.actor_email}</SecondLine>
      </>
    ),
  },
  {
    name: 'Fields',
    width: '26%',
    showFrom: 'wide',
    csv: (entry) => fieldsOf(entry),
    cell: (entry) => <span className="quiet">{fieldsOf(entry)}</span>,
  },
  timeColumn('Time', ({ created_at }) => created_at, {
    format: formatRowTime,
    timeZone,
    width: '11.5rem',
    showFrom: 'medium',
  }),
];

const fieldsOf = (entry: AuditEntry) =>
  listChanges(entry)
    .map(({ name }) => formatLabel(name))
    .join(', ');
