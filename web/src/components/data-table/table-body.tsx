import type { RowData } from '@tanstack/react-table';
import {
  type ChangeEvent,
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '#lib/lazy-part.tsx';
import { type ListedColumn, plainText } from './column.ts';
import type { TotalCount } from './pager.tsx';
import type { RowAction } from './row-actions.tsx';
import { findTargetRow, isKeyForList } from './row-keys.ts';
import { DetailRow, type RowAbilities, TableRow } from './table-row.tsx';
import type { DataTableModel, ListRow } from './use-data-table.ts';
import { useStable } from './use-stable.ts';

/** Maximum length of a list that is rendered completely, so that the browser's search and printing include all rows. */
const drawnWholeUpTo = 200;

const LongRows = lazyPart(() => import('./long-rows.tsx'), 'LongRows');

interface TableBodyProps<Row extends RowData> extends ListViewProps<Row> {
  rows: readonly ListRow<Row>[];
  columns: readonly ListedColumn<Row>[];
  columnCount: number;
}

type NoteDetailHeight = (id: string, heightPx: number) => void;

export function TableBody<Row extends RowData>(props: TableBodyProps<Row>) {
  const { model, rows, columns, columnCount, detail, rowsBefore = 0 } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { activeIndex, activate } = useRowNavigation(props, body);
  const abilities = useRowAbilities(props, activate);
  const openId = String(model.state.search.open ?? '');

  const drawRow = (index: number, onResize?: NoteDetailHeight): ReactNode => {
    const row = rows[index];
    if (row === undefined) return null;
    const isExpanded = detail !== undefined && row.getIsExpanded();
    return (
      <Fragment key={row.id}>
        <TableRow
          id={row.id}
          row={row.original}
          columns={columns}
          abilities={abilities}
          ariaRowIndex={rowsBefore + index + 2}
          isActive={index === activeIndex}
          isOpen={row.id === openId}
          isExpanded={isExpanded}
          isSelected={row.getIsSelected()}
        />
        {isExpanded && (
          <DetailRow id={row.id} columnCount={columnCount} onResize={onResize}>
            {detail(row.original)}
          </DetailRow>
        )}
      </Fragment>
    );
  };
  return (
    <tbody ref={body}>
      {rows.length <= drawnWholeUpTo ? (
        rows.map((_, index) => drawRow(index))
      ) : (
        <LongRows
          body={body}
          rows={rows}
          activeIndex={activeIndex}
          expanded={model.table.state.expanded}
          columnCount={columnCount}
          drawRow={drawRow}
        />
      )}
    </tbody>
  );
}

function useRowAbilities<Row extends RowData>(
  { model, detail, onOpen, actions, nameOf, isSelectable = false }: ListViewProps<Row>,
  activate: (id: string) => void,
): RowAbilities<Row> {
  const open = useStable((row: Row) => onOpen?.(row));
  const name = useStable((row: Row) => (nameOf ?? firstText(model.columns))(row));
  const toggle = useStable((id: string) => model.table.getRow(id).toggleExpanded());
  const select = useStable((id: string, event: ChangeEvent<HTMLInputElement>) =>
    model.table.getRow(id).getToggleSelectedHandler()(event),
  );
  const [canOpen, canExpand] = [onOpen !== undefined, detail !== undefined];
  return useMemo(
    () => ({
      nameOf: name,
      activate,
      onOpen: canOpen ? open : undefined,
      toggle: canExpand ? toggle : undefined,
      select: isSelectable ? select : undefined,
      actions,
    }),
    [name, activate, canOpen, open, canExpand, toggle, isSelectable, select, actions],
  );
}

function firstText<Row extends RowData>(
  columns: ListViewProps<Row>['model']['columns'],
): (row: Row) => string {
  const read = columns.map((column) => plainText(column)).find((text) => text !== undefined);
  return (row) => String(read?.(row) ?? '');
}

export interface ListViewProps<Row extends RowData> {
  model: DataTableModel<Row>;
  label: string;
  loadingText: string;
  /** Whether the rows belong to the previous query while the current query loads. */
  isStale?: boolean;
  emptyText: string;
  /** Shown if there are no rows. */
  emptyAction?: ReactNode;
  failure?: { message: string; error: unknown; onRetry: () => void } | null;
  /** Renders the details of an expanded row. If absent, rows are not expandable. */
  detail?: (row: Row) => ReactNode;
  /** Called when a row is clicked, or opened with Enter. */
  onOpen?: (row: Row) => void;
  /** Row actions. Must be the same array in each render. */
  actions?: readonly RowAction<Row>[];
  isSelectable?: boolean;
  /** Returns the row name for the labels of its controls. The default is the text of the first column. */
  nameOf?: (row: Row) => string;
  /** Number of rows on previous pages and in total, if the rows are one page of a longer list. */
  rowsBefore?: number;
  total?: TotalCount | null;
  /** Whether `j` and `k` work while no element has the focus. Set for the main list of a page. */
  isPage?: boolean;
  /** Whether the list scrolls sideways from `medium` width instead of hiding columns. */
  isSideways?: boolean;
}

interface RowNavigation {
  activeIndex: number;
  activate: (id: string) => void;
}

/** The active row keeps the focus when rows are added or removed. */
function useRowNavigation<Row extends RowData>(
  { model, onOpen, detail, isSelectable, isPage = true }: ListViewProps<Row>,
  body: RefObject<HTMLElement | null>,
): RowNavigation {
  const isExpandable = detail !== undefined;
  const rows = model.rows ?? [];
  const [activeId, setActiveId] = useState<string | null>(null);
  const foundIndex = activeId === null ? -1 : rows.findIndex(({ id }) => id === activeId);
  const activeIndex = Math.max(foundIndex, 0);

  const move = (index: number) => {
    const target = rows[index];
    if (target === undefined) return;
    flushSync(() => setActiveId(target.id));
    body.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(target.id)}"]`)?.focus();
    if (model.state.search.open !== undefined) onOpen?.(target.original);
  };

  const act = (event: KeyboardEvent, row: ListRow<Row>): boolean => {
    const isOnRow = event.target instanceof HTMLTableRowElement;
    if (isSelectable && event.key.toLowerCase() === 'x') select(row, event);
    else if (isExpandable && event.key === 'ArrowRight') row.toggleExpanded(true);
    else if (isExpandable && event.key === 'ArrowLeft') row.toggleExpanded(false);
    else if (onOpen && isOnRow && event.key === 'Enter') onOpen(row.original);
    else if (isExpandable && isOnRow && event.key === 'Enter') row.toggleExpanded();
    else return false;
    return true;
  };

  const handle = useStable((event: KeyboardEvent) => {
    const isHere = event.target instanceof Node && body.current?.contains(event.target);
    const isFirst = isPage && event.target === document.body && (event.key === 'j' || event.key === 'k');
    if (!(isHere || isFirst) || !isKeyForList(event)) return;
    const from = isFirst && foundIndex === -1 ? -1 : activeIndex;
    const target = findTargetRow(event.key, from, rows.length, countPageRows(body.current));
    const active = rows[activeIndex];
    if (target !== null) move(target);
    else if (!active || !act(event, active)) return;
    event.preventDefault();
  });

  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [handle]);

  return { activeIndex, activate: setActiveId };
}

/** Toggles the selection like a click on the checkbox, so that a Shift selection can start at the row. */
function select<Row extends RowData>(row: ListRow<Row>, event: KeyboardEvent): void {
  row.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, nativeEvent: event });
}

function countPageRows(body: HTMLElement | null): number {
  const rowHeightPx = body?.querySelector('tr[data-row]')?.getBoundingClientRect().height ?? 36;
  return Math.max(1, Math.floor(window.innerHeight / rowHeightPx) - 4);
}
