import type { AuditEntry } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/data-table/column.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatFullTime, formatRowTime } from '../../lib/format-time.ts';
import styles from './audit-columns.module.css';
import { describeAction, describeActor, describeObject, listChanges } from './describe-entry.ts';

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    name: 'Change',
    isPinned: true,
    isHideable: false,
    csv: (entry) => `${describeAction(entry)}: ${describeObject(entry)}`,
    cell: (entry) => (
      <>
        <Link
          to="."
          search={(previous) => ({ ...previous, open: entry.id })}
          className={styles.action}
          tabIndex={-1}
        >
          {describeAction(entry)}
        </Link>
        <div className={styles.second}>{describeObject(entry)}</div>
      </>
    ),
  },
  {
    name: 'By',
    width: '20%',
    showFrom: 'medium',
    csv: (entry) => entry.actor_email ?? describeActor(entry),
    cell: (entry) => (
      <>
        {describeActor(entry)}
        <div className={styles.second}>{entry.actor_email}</div>
      </>
    ),
  },
  {
    name: 'Fields',
    width: '26%',
    showFrom: 'wide',
    csv: (entry) => fieldsOf(entry),
    cell: (entry) => <span className={styles.fields}>{fieldsOf(entry)}</span>,
  },
  {
    name: 'Time',
    width: '11.5rem',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => (
      <span className={`num ${styles.fields}`} title={formatFullTime(created_at)}>
        {formatRowTime(created_at)}
      </span>
    ),
  },
];

const fieldsOf = (entry: AuditEntry) =>
  listChanges(entry)
    .map(({ name }) => formatLabel(name))
    .join(', ');
