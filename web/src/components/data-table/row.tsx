import { ChevronRight } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId, useState } from 'react';
import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface RowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
}

export function PlainRow<Row>({ row, columns }: RowProps<Row>) {
  return (
    <tr>
      <Cells row={row} columns={columns} />
    </tr>
  );
}

export function ExpandableRow<Row>({
  row,
  columns,
  detail,
}: RowProps<Row> & { detail: (row: Row) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();

  // A larger target for the mouse; the keyboard has the button.
  const toggleUnlessSelecting = (event: MouseEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest('button, a') !== null;
    if (!isOnControl && window.getSelection()?.isCollapsed !== false) setOpen(!isOpen);
  };

  return (
    <>
      <tr className={`${styles.expandable} ${isOpen ? styles.open : ''}`} onClick={toggleUnlessSelecting}>
        <td className={styles.toggleCell}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailId : undefined}
            aria-label="Details"
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
          </button>
        </td>
        <Cells row={row} columns={columns} />
      </tr>
      {isOpen && (
        <tr id={detailId}>
          <td colSpan={columns.length + 1} className={styles.detail}>
            {detail(row)}
          </td>
        </tr>
      )}
    </>
  );
}

function Cells<Row>({ row, columns }: RowProps<Row>) {
  return columns.map((column) => (
    <td key={column.name} className={column.align && styles[column.align]}>
      {column.cell(row)}
    </td>
  ));
}
