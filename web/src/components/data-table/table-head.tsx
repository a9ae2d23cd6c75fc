import type { RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ListedColumn } from './column.ts';
import styles from './data-table.module.css';
import { SelectBox } from './table-row.tsx';
import type { DataTableModel } from './use-data-table.ts';

interface TableHeadProps<Row extends RowData> {
  model: DataTableModel<Row>;
  columns: readonly ListedColumn<Row>[];
  isExpandable: boolean;
  isSelectable: boolean;
  hasActions: boolean;
}

export function TableHead<Row extends RowData>(props: TableHeadProps<Row>) {
  const { model, columns, isExpandable, isSelectable, hasActions } = props;
  const { table } = model;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {isExpandable && <HiddenHeading name="Details" />}
        {isSelectable && (
          <th scope="col" className={styles.controlCell}>
            <SelectBox
              label="Select all rows"
              isChecked={table.getIsAllRowsSelected()}
              isPartly={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
              onChange={(event) => table.toggleAllRowsSelected(event.currentTarget.checked)}
            />
          </th>
        )}
        {columns.map((column) => (
          <Heading key={column.id} model={model} column={column} />
        ))}
        {hasActions && <HiddenHeading name="Actions" />}
      </tr>
    </thead>
  );
}

function HiddenHeading({ name }: { name: string }) {
  return (
    <th scope="col">
      <span className="visually-hidden">{name}</span>
    </th>
  );
}

interface HeadingProps<Row extends RowData> {
  model: DataTableModel<Row>;
  column: ListedColumn<Row>;
}

const ariaSorts = { asc: 'ascending', desc: 'descending' } as const;

function Heading<Row extends RowData>({ model, column }: HeadingProps<Row>) {
  const sorted = model.table.getColumn(column.id)?.getIsSorted() || null;
  const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={column.align && styles[column.align]}
      aria-sort={sorted === null ? undefined : ariaSorts[sorted]}
    >
      {column.sortBy ? (
        <button
          type="button"
          className={styles.sort}
          data-sorted={sorted !== null}
          onClick={() => model.table.getColumn(column.id)?.toggleSorting()}
        >
          <span>{column.name}</span>
          <Arrow size={12} strokeWidth={2} aria-hidden />
        </button>
      ) : (
        column.name
      )}
    </th>
  );
}
