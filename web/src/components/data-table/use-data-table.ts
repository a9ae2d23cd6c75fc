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
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { type Column, type ListedColumn, listColumns, plainText, searchRows } from './column.ts';
import { readOrder, readSorting, readVisibility, type TableSearch, writeSorting } from './table-search.ts';
import { type Selection, type TableState, useSelection } from './use-table-state.ts';

const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

/** Compares numbers, or texts that contain numbers: `gpt-9` comes before `gpt-10`. */
export function compareValues(left: unknown, right: unknown): number {
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : collator.compare(String(left), String(right));
}

const features = tableFeatures({
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

export type ListRow<Row extends RowData> = TableRow<typeof features, Row>;

interface DataTableOptions<Row extends RowData> {
  columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  state: TableState;
  /**
   * `table` filters over all columns. `caller` means that `rows` contains only matching rows, because the caller
   * filters with a server query or with `findByText`.
   */
  filteredBy?: 'table' | 'caller';
  /** `browser` sorts the loaded rows. `server` means that the server sorts all rows. */
  sortedBy?: 'browser' | 'server';
  /**
   * Identifies the query of the rows, for lists that refresh. While the user is reading, new rows of the same query
   * are held back and counted. Rows of another query are shown immediately.
   */
  question?: string;
}

export interface DataTableModel<Row extends RowData> {
  /** All columns in their default order. */
  listedColumns: readonly ListedColumn<Row>[];
  /** All columns in the custom order. */
  columns: readonly ListedColumn<Row>[];
  /** Columns that the user has chosen, including columns that do not fit. */
  chosenColumns: readonly ListedColumn<Row>[];
  /** Filtered and sorted rows; `undefined` while loading. */
  rows: readonly ListRow<Row>[] | undefined;
  /** Key of the last loaded row in server order. */
  lastId: string | number | undefined;
  state: TableState;
  selection: Selection<Row>;
  /** Number of rows held back while the user is reading, and a function that shows them. */
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

  const last = rows?.at(-1);
  const { hide, show, order } = search;
  const chosen = useMemo(() => chooseColumns(columns, { hide, show, order }), [columns, hide, show, order]);
  return {
    listedColumns: columns,
    ...chosen,
    rows: rows && table.getRowModel().rows,
    lastId: last === undefined ? undefined : rowKey(last),
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

/** The list itself renders the cells. */
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

const scrolledFromPx = 120;

/** Returns whether the user has scrolled down or selected text. */
function useIsReading(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > scrolledFromPx || hasMarkedText());
}

function hasMarkedText(): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString().trim() !== '';
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('selectionchange', onChange);
  window.addEventListener('scroll', onChange, { passive: true });
  return () => {
    document.removeEventListener('selectionchange', onChange);
    window.removeEventListener('scroll', onChange);
  };
}

interface HeldRowsOptions<Row> {
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Identifies the query of the rows. If absent, rows are never held back. */
  question?: string;
  isOpen: boolean;
  expanded: Readonly<Record<string, boolean>>;
}

interface HeldRows<Row> {
  rows: readonly Row[] | undefined;
  arrivals: { count: number; show: () => void };
}

/** Holds back new rows while the user is reading, until the user shows them. */
function useHeldRows<Row>(options: HeldRowsOptions<Row>): HeldRows<Row> {
  const { rows, rowKey, question, isOpen, expanded } = options;
  const [held, setHeld] = useState<{ rows: readonly Row[]; question: string } | null>(null);
  const mayBeExpanded = Object.keys(expanded).length > 0;
  const hasExpanded = mayBeExpanded && rows?.some((row) => expanded[String(rowKey(row))]);
  const isReading = useIsReading() || isOpen || hasExpanded === true;

  const isHeld = held !== null && held.question === question;
  const count = isHeld && rows ? countNew(held.rows, rows, rowKey) : 0;
  const shouldHold = question !== undefined && (isReading || count > 0);
  if (shouldHold && !isHeld && rows) setHeld({ rows, question });
  if (!shouldHold && held !== null) setHeld(null);
  return { rows: isHeld ? held.rows : rows, arrivals: { count, show: () => setHeld(null) } };
}

/** Returns the number of latest rows that are not among the held rows. */
export function countNew<Row>(
  held: readonly Row[],
  latest: readonly Row[],
  rowKey: (row: Row) => string | number,
): number {
  if (held === latest) return 0;
  const known = new Set(held.map(rowKey));
  return latest.filter((row) => !known.has(rowKey(row))).length;
}
