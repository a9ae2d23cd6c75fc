import {
  createSortedRowModel,
  type ExpandedState,
  functionalUpdate,
  type ReactTable,
  type RowData,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useDeferredValue, useMemo, useState } from 'react';
import { type Column, type ListedColumn, listColumns, plainText, searchRows } from './column.ts';
import { compareValues } from './compare-values.ts';
import { readOrder, readSorting, readVisibility, type TableSearch, writeSorting } from './table-search.ts';
import { useHeldRows } from './use-held-rows.ts';
import { type Selection, useSelection } from './use-selection.ts';
import type { TableState } from './use-table-state.ts';

const features = tableFeatures({
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

export type ListRow<Row extends RowData> = TableRow<typeof features, Row>;

interface DataTableOptions<Row extends RowData> {
  columns: readonly Column<Row>[];
  /** `undefined` while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  state: TableState;
  /**
   * Whether the table filters, over all its columns, or the caller, who queries the server or uses `findByText` and passes
   * only matching rows.
   */
  filteredBy?: 'table' | 'caller';
  /** Whether the browser sorts the loaded rows or the server sorts all. */
  sortedBy?: 'browser' | 'server';
  /**
   * Given for a list that refreshes by itself: what its rows answer. They stand still while somebody reads, and new
   * ones are counted; other questions show their rows at once.
   */
  question?: string;
}

/** A list's columns, rows and choices put together: what the parts of the kit show and change. */
export interface DataTableModel<Row extends RowData> {
  /** Every column in its usual order. */
  listedColumns: readonly ListedColumn<Row>[];
  /** Every column in the order chosen. */
  columns: readonly ListedColumn<Row>[];
  /** The columns chosen to be shown, whether there is room for them or not. */
  chosenColumns: readonly ListedColumn<Row>[];
  /** Filtered and sorted; `undefined` while they load. */
  rows: readonly ListRow<Row>[] | undefined;
  state: TableState;
  selection: Selection<Row>;
  /** How many rows came since the shown ones stand still, and a way to see them. */
  arrivals: { count: number; show: () => void };
  table: ReactTable<typeof features, Row>;
}

const none: never[] = [];

export function useDataTable<Row extends RowData>(options: DataTableOptions<Row>): DataTableModel<Row> {
  const { rowKey, state, filteredBy = 'table', sortedBy = 'browser' } = options;
  const { search } = state;
  const [expanded, setExpanded] = useState<Record<string, boolean>>({});
  const { rows, arrivals } = useHeldRows({ ...options, isOpen: search.open !== undefined, expanded });
  const columns = useMemo(() => listColumns(options.columns), [options.columns]);
  const filter = useDeferredValue(filteredBy === 'table' ? String(search.filter ?? '') : '');
  const data = useMemo(() => searchRows(rows ?? none, columns, filter), [rows, columns, filter]);
  const selection = useSelection(data, rowKey);

  const sorting = useMemo(() => [...readSorting(search.sort, columns)], [search.sort, columns]);

  const table = useTable({
    features,
    columns: useMemo(() => columns.map((column) => describeColumn(column)), [columns]),
    data,
    getRowId: (row) => String(rowKey(row)),
    getRowCanExpand: () => true,
    manualSorting: sortedBy === 'server',
    isRowRangeSelectionEvent: hasShiftKey,
    state: { sorting, expanded, rowSelection: selection.ids },
    onSortingChange: (update) => state.change({ sort: writeSorting(functionalUpdate(update, sorting)) }),
    onExpandedChange: (update) =>
      setExpanded((before) => {
        const after = functionalUpdate<ExpandedState>(update, before);
        return after === true ? before : after;
      }),
    onRowSelectionChange: (update) => selection.choose(functionalUpdate(update, selection.ids)),
  });

  const { hide, show, order } = search;
  const chosen = useMemo(() => chooseColumns(columns, { hide, show, order }), [columns, hide, show, order]);
  return {
    listedColumns: columns,
    ...chosen,
    rows: rows && table.getRowModel().rows,
    state,
    selection,
    arrivals,
    table,
  };
}

function chooseColumns<Row>(
  listed: readonly ListedColumn<Row>[],
  search: Pick<TableSearch, 'hide' | 'show' | 'order'>,
) {
  const visibility = readVisibility(search, listed);
  const columns = readOrder(search.order, listed).flatMap(
    (id) => listed.find((column) => column.id === id) ?? [],
  );
  return { columns, chosenColumns: columns.filter(({ id }) => visibility[id]) };
}

/** Our column as the table library wants it; cells are drawn by the kit. */
function describeColumn<Row extends RowData>(column: ListedColumn<Row>) {
  const read = column.sortBy ?? plainText(column);
  return {
    id: column.id,
    header: column.name,
    accessorFn: (row: Row) => read?.(row) ?? undefined,
    enableSorting: column.sortBy !== undefined,
    sortFn: (left: ListRow<Row>, right: ListRow<Row>, id: string) =>
      compareValues(left.getValue(id), right.getValue(id)),
    sortUndefined: 'last' as const,
  };
}

function hasShiftKey(event: unknown): boolean {
  const source =
    event !== null && typeof event === 'object' && 'nativeEvent' in event ? event.nativeEvent : event;
  return source instanceof MouseEvent || source instanceof KeyboardEvent ? source.shiftKey : false;
}
