import type { RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type ReactNode, useMemo } from 'react';
import { useWidth } from '#lib/use-width.ts';
import { Failure } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import {
  type Column,
  controlRem,
  fitColumns,
  type ListedColumn,
  leastSidewaysPx,
  pxPerRem,
  widthNeededPx,
} from './column.ts';
import styles from './data-table.module.css';
import { countControls, type RowAction } from './row-actions.tsx';
import { type ListViewProps, TableBody } from './table-body.tsx';
import { classOf, SelectBox } from './table-row.tsx';
import { type DataTableModel, useDataTable } from './use-data-table.ts';
import { usePinnedHeader } from './use-pinned-header.ts';
import { useLocalTableState } from './use-table-state.ts';

interface TableHeadProps<Row extends RowData> {
  model: DataTableModel<Row>;
  columns: readonly ListedColumn<Row>[];
  isExpandable: boolean;
  isSelectable: boolean;
  hasActions: boolean;
}

function TableHead<Row extends RowData>(props: TableHeadProps<Row>) {
  const { model, columns, isExpandable, isSelectable, hasActions } = props;
  const { table } = model;
  const isAlone = columns.length === 1 && model.chosenColumns.length > 1;
  return (
    <thead className={isAlone ? styles.alone : undefined}>
      <tr aria-rowindex={1}>
        {isExpandable && <HiddenHeading name="Details" isFrozen />}
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

function HiddenHeading({ name, isFrozen = false }: { name: string; isFrozen?: boolean }) {
  return (
    <th scope="col" className={isFrozen ? styles.frozen : undefined}>
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
    <th scope="col" className={classOf(column)} aria-sort={sorted === null ? undefined : ariaSorts[sorted]}>
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

const skeletonWidths = ['72%', '58%', '84%', '63%', '76%', '55%', '68%', '80%', '60%', '71%'];

interface LoadingRowsProps<Row> {
  text: string;
  columns: readonly ListedColumn<Row>[];
  columnCount: number;
  /** Number of control columns before the data columns. */
  controlCount: number;
}

function LoadingRows<Row>({ text, columns, columnCount, controlCount }: LoadingRowsProps<Row>) {
  const controlsAfter = columnCount - controlCount - columns.length;
  return (
    <tbody>
      <tr>
        <td colSpan={columnCount} className={styles.loading}>
          {text}
        </td>
      </tr>
      {skeletonWidths.map((width) => (
        <tr key={width}>
          {controlCount > 0 && <td colSpan={controlCount} />}
          {columns.map(({ id, align }) => (
            <td key={id} className={align && styles[align]}>
              <Skeleton width={width} height="0.625rem" />
            </td>
          ))}
          {controlsAfter > 0 && <td colSpan={controlsAfter} />}
        </tr>
      ))}
    </tbody>
  );
}

interface EmptyRowProps {
  text: string;
  /** Button or link to the next step. */
  action: ReactNode;
  columnCount: number;
}

function EmptyRow({ text, action, columnCount }: EmptyRowProps) {
  return (
    <tbody>
      <tr>
        <td colSpan={columnCount} className={styles.empty}>
          <p>{text}</p>
          {action}
        </td>
      </tr>
    </tbody>
  );
}

/** Column widths do not change on refresh. Narrow lists show fewer columns. */
export function ListView<Row extends RowData>(props: ListViewProps<Row>) {
  const isBroken = Boolean(props.failure) && props.model.rows === undefined;
  return (
    <>
      {props.failure && <Failure {...props.failure} />}
      {!isBroken && <ListTable {...props} />}
    </>
  );
}

function ListTable<Row extends RowData>(props: ListViewProps<Row>) {
  const { model, detail, actions, isSelectable = false } = props;
  const { rows } = model;
  const [widthPx, measure] = useWidth();
  const isExpandable = detail !== undefined;
  const isSideways = (props.isSideways ?? false) && widthPx >= leastSidewaysPx;
  const columns = useShownColumns(props, widthPx, isSideways);
  const neededPx = isSideways ? widthNeededPx(columns, Number(isExpandable)) : 0;
  const scrollsSideways = neededPx > widthPx;
  const pinHeader = usePinnedHeader(scrollsSideways);
  return (
    <div
      ref={measure}
      className={styles.panel}
      data-density={model.state.search.density}
      data-sideways={scrollsSideways || undefined}
    >
      <table
        ref={pinHeader}
        className={styles.table}
        style={{ minWidth: neededPx || undefined }}
        aria-label={props.label}
        aria-busy={rows === undefined || (props.isStale ?? false)}
        aria-rowcount={countRows(props)}
      >
        <colgroup>
          {isExpandable && <col className={styles.controlColumn} />}
          {isSelectable && <col className={styles.controlColumn} />}
          {columns.map((column) => (
            <col key={column.id} style={{ width: column.width }} />
          ))}
          {actions && (
            <col
              className={styles.actionsColumn}
              style={{ '--actions-width': `${widthOf(actions)}rem` } as CSSProperties}
            />
          )}
        </colgroup>
        <TableHead
          model={model}
          columns={columns}
          isExpandable={isExpandable}
          isSelectable={isSelectable}
          hasActions={actions !== undefined}
        />
        <Rows {...props} columns={columns} />
      </table>
    </div>
  );
}

function useShownColumns<Row extends RowData>(
  props: ListViewProps<Row>,
  widthPx: number,
  isSideways: boolean,
): readonly ListedColumn<Row>[] {
  const { chosenColumns } = props.model;
  const controlsPx = controlsPxOf(props);
  return useMemo(
    () => (isSideways ? chosenColumns : fitColumns(chosenColumns, { widthPx, controlsPx })),
    [chosenColumns, widthPx, isSideways, controlsPx],
  );
}

function controlsPxOf<Row extends RowData>({ detail, isSelectable, actions }: ListViewProps<Row>): number {
  const count = Number(detail !== undefined) + Number(isSelectable ?? false);
  return (count * controlRem + (actions ? widthOf(actions) : 0)) * pxPerRem;
}

function Rows<Row extends RowData>(props: ListViewProps<Row> & { columns: readonly ListedColumn<Row>[] }) {
  const { model, columns, detail, actions, isSelectable } = props;
  const { rows } = model;
  const controlCount = Number(detail !== undefined) + Number(isSelectable ?? false);
  const columnCount = controlCount + columns.length + Number(actions !== undefined);
  if (rows === undefined) {
    return (
      <LoadingRows
        text={props.loadingText}
        columns={columns}
        columnCount={columnCount}
        controlCount={controlCount}
      />
    );
  }
  if (rows.length === 0) {
    return <EmptyRow text={props.emptyText} action={props.emptyAction} columnCount={columnCount} />;
  }
  return <TableBody {...props} rows={rows} columnCount={columnCount} />;
}

/** Returns the number of rows including the heading; -1 if the number is unknown, `undefined` while the rows load. */
function countRows<Row extends RowData>({ model, rowsBefore = 0, total }: ListViewProps<Row>) {
  if (model.rows === undefined) return undefined;
  if (total) return total.isExact ? total.count + 1 : -1;
  return rowsBefore + model.rows.length + 1;
}

/** In rem. */
const widthOf = (actions: readonly RowAction<never>[]) => countControls(actions) * 1.75 + 0.875;

interface DataTableProps<Row extends RowData> extends Omit<ListViewProps<Row>, 'model' | 'isPage'> {
  columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
}

/** The list's state is not stored in the URL, for lists that are only part of a page. */
export function DataTable<Row extends RowData>({ columns, rows, rowKey, ...view }: DataTableProps<Row>) {
  const model = useDataTable({ columns, rows, rowKey, state: useLocalTableState() });
  return <ListView {...view} model={model} isPage={false} />;
}
