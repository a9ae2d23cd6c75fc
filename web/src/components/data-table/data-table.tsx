import type { ReactNode } from 'react';
import { type Column, columnClass } from './column.ts';
import styles from './data-table.module.css';
import { ExpandableRow, PlainRow } from './row.tsx';

interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** `undefined` while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  loadingText: string;
  emptyText: string;
  /** Makes rows expandable; called for the rows that are open. */
  detail?: (row: Row) => ReactNode;
}

/** The one look of lists: hairlines, fixed columns that do not jump when rows refresh, fewer of them on small screens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, detail } = props;
  return (
    <div className={styles.panel}>
      <table className={styles.table} aria-label={label} aria-busy={rows === undefined}>
        <colgroup>
          {detail && <col className={styles.toggleColumn} />}
          {columns.map((column) => (
            <col key={column.name} className={columnClass(column)} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {detail && (
              <th scope="col">
                <span className="visually-hidden">Details</span>
              </th>
            )}
            {columns.map((column) => (
              <th key={column.name} scope="col" className={columnClass(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Body {...props} />
        </tbody>
      </table>
    </div>
  );
}

function Body<Row>({ columns, rows, rowKey, loadingText, emptyText, detail }: DataTableProps<Row>) {
  const columnCount = columns.length + (detail ? 1 : 0);
  if (rows === undefined) return <LoadingRow text={loadingText} columnCount={columnCount} />;
  if (rows.length === 0) {
    return (
      <tr>
        <td colSpan={columnCount} className={styles.empty}>
          {emptyText}
        </td>
      </tr>
    );
  }
  return rows.map((row) =>
    detail ? (
      <ExpandableRow key={rowKey(row)} row={row} columns={columns} detail={detail} />
    ) : (
      <PlainRow key={rowKey(row)} row={row} columns={columns} />
    ),
  );
}

const skeletonWidths = ['42%', '58%', '36%', '51%', '45%', '62%', '39%'];

function LoadingRow({ text, columnCount }: { text: string; columnCount: number }) {
  return (
    <tr>
      <td colSpan={columnCount} className={styles.loading}>
        {text}
        {skeletonWidths.map((width) => (
          <span key={width} className={styles.skeleton} style={{ width }} />
        ))}
      </td>
    </tr>
  );
}
