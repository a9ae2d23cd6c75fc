import type { ReactNode } from 'react';
import { type Column, useVisibleColumns } from './column.ts';
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
  const { label, rows, detail } = props;
  const [columns, measure] = useVisibleColumns(props.columns);
  return (
    <div ref={measure} className={styles.panel}>
      <table className={styles.table} aria-label={label} aria-busy={rows === undefined}>
        <colgroup>
          {detail && <col className={styles.toggleColumn} />}
          {columns.map((column) => (
            <col key={column.name} style={{ width: column.width }} />
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
              <th key={column.name} scope="col" className={column.align && styles[column.align]}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Body {...props} columns={columns} />
        </tbody>
      </table>
    </div>
  );
}

function Body<Row>({ columns, rows, rowKey, loadingText, emptyText, detail }: DataTableProps<Row>) {
  if (rows === undefined) {
    return <LoadingRows text={loadingText} columns={columns} isExpandable={detail !== undefined} />;
  }
  if (rows.length === 0) {
    return (
      <tr>
        <td colSpan={columns.length + Number(detail !== undefined)} className={styles.empty}>
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

const skeletonWidths = ['72%', '58%', '84%', '63%', '76%', '55%', '68%'];

function LoadingRows<Row>({
  text,
  columns,
  isExpandable,
}: {
  text: string;
  columns: readonly Column<Row>[];
  isExpandable: boolean;
}) {
  return (
    <>
      <tr>
        <td colSpan={columns.length + Number(isExpandable)} className={styles.loading}>
          {text}
        </td>
      </tr>
      {skeletonWidths.map((width) => (
        <tr key={width}>
          {isExpandable && <td />}
          {columns.map(({ name }) => (
            <td key={name}>
              <span className={styles.skeleton} style={{ width }} />
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}
