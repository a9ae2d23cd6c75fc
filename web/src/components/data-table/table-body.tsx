import type { RowData } from '@tanstack/react-table';
import { type ChangeEvent, type ReactNode, useMemo, useRef } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { type ListedColumn, plainText } from './column.ts';
import type { ListViewProps } from './list-view-props.ts';
import { DetailRow, type RowAbilities, TableRow } from './table-row.tsx';
import type { ListRow } from './use-data-table.ts';
import { useRowNavigation } from './use-row-navigation.ts';
import { useStable } from './use-stable.ts';

/** Shorter lists are drawn whole: the browser's own search and printing find all of it. */
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
    return [
      <TableRow
        key={row.id}
        id={row.id}
        row={row.original}
        columns={columns}
        abilities={abilities}
        ariaRowIndex={rowsBefore + index + 2}
        isActive={index === activeIndex}
        isOpen={row.id === openId}
        isExpanded={isExpanded}
        isSelected={row.getIsSelected()}
      />,
      isExpanded && (
        <DetailRow key={`${row.id} details`} id={row.id} columnCount={columnCount} onResize={onResize}>
          {detail(row.original)}
        </DetailRow>
      ),
    ];
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

/** Derives the shared row actions from the list's props. */
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
