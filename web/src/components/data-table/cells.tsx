import type { Spend } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatUsd } from '#lib/format-money.ts';
import { formatDay, formatFullTime } from '#lib/format-time.ts';
import { SecondLine } from '../ui/lines.tsx';
import styles from './cells.module.css';
import type { Column } from './column.ts';

/** The link is for new tabs and screen readers. The row itself is the tab stop. */
export function RowLink({ id, children }: { id: string | number; children: ReactNode }) {
  return (
    <Link
      to="."
      search={(previous) => ({ ...previous, open: id })}
      resetScroll={false}
      className={styles.link}
      tabIndex={-1}
    >
      {children}
    </Link>
  );
}

interface NarrowOnlyProps {
  /** List width from which the content is hidden, like `showFrom` of a column. */
  until?: 'medium' | 'full';
  children: ReactNode;
}

/** Shown below a row's name while the list is too narrow for separate columns. */
export function NarrowOnly({ until = 'medium', children }: NarrowOnlyProps) {
  return <div className={`${styles.narrow} ${styles[until]}`}>{children}</div>;
}

interface TimeColumnOptions extends Pick<Column<never>, 'width' | 'showFrom'> {
  format?: (instant: string, timeZone?: string) => string;
  /** The default is the browser's time zone. */
  timeZone?: string;
}

/** By default cells show the day. The full time appears on hover. */
export function timeColumn<Row>(
  name: string,
  read: (row: Row) => string,
  { format = formatDay, timeZone, width = '7.5rem', showFrom = 'wide' }: TimeColumnOptions = {},
): Column<Row> {
  return {
    name,
    width,
    showFrom,
    sortBy: read,
    cell: (row) => (
      <span className="num quiet" title={formatFullTime(read(row), timeZone)}>
        {format(read(row), timeZone)}
      </span>
    ),
  };
}

/** The columns for today and last month are hidden by default. */
export function spendColumns<Row extends Spend>(): readonly Column<Row>[] {
  return [
    {
      id: 'cost',
      name: 'Cost this month',
      width: '9.25rem',
      align: 'end',
      showFrom: 'medium',
      sortBy: ({ spend_usd_month }) => spend_usd_month,
      cell: (row) => (
        <div className="num" title="Cost this month, in the organization's time zone">
          {formatUsd(row.spend_usd_month)}
          <SecondLine>{formatUsd(row.spend_usd_last_month)} last month</SecondLine>
        </div>
      ),
    },
    spendColumn('Cost today', ({ spend_usd_today }) => spend_usd_today),
    spendColumn('Cost last month', ({ spend_usd_last_month }) => spend_usd_last_month),
  ];
}

const spendColumn = <Row,>(name: string, read: (row: Row) => number): Column<Row> => ({
  name,
  width: '7rem',
  align: 'end',
  showFrom: 'medium',
  isExtra: true,
  sortBy: read,
  cell: (row) => <span className="num">{formatUsd(read(row))}</span>,
});
