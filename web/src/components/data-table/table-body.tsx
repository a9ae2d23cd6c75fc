import type { RowData } from '@tanstack/react-table';
import { Fragment, useRef } from 'react';
import type { ListedColumn } from './column.ts';
import type { ListViewProps } from './list-view-props.ts';
import { DetailRow, TableRow } from './table-row.tsx';
import type { ListRow } from './use-data-table.ts';
import { useDrawnRows } from './use-drawn-rows.ts';
import { useRowAbilities } from './use-row-abilities.ts';
import { useRowNavigation } from './use-row-navigation.ts';

interface TableBodyProps<Row extends RowData> extends ListViewProps<Row> {
  rows: readonly ListRow<Row>[];
  columns: readonly ListedColumn<Row>[];
  columnCount: number;
}

/** The rows; of a long list only those in sight, the active one, and as much empty space as the others would take. */
export function TableBody<Row extends RowData>(props: TableBodyProps<Row>) {
  const { model, rows, columns, columnCount, detail, rowsBefore = 0 } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { activeIndex, activate } = useRowNavigation(props, body);
  const abilities = useRowAbilities(props, activate);
  const { drawn, spaceAfterPx, noteDetailHeight } = useDrawnRows(body, rows, activeIndex);
  const openId = String(model.state.search.open ?? '');
  return (
    <tbody ref={body}>
      {drawn.map(({ index, spaceBeforePx }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const isExpanded = detail !== undefined && row.getIsExpanded();
        return (
          <Fragment key={row.id}>
            <Space heightPx={spaceBeforePx} columnCount={columnCount} />
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
              <DetailRow id={row.id} columnCount={columnCount} onResize={noteDetailHeight}>
                {detail(row.original)}
              </DetailRow>
            )}
          </Fragment>
        );
      })}
      <Space heightPx={spaceAfterPx} columnCount={columnCount} />
    </tbody>
  );
}

function Space({ heightPx, columnCount }: { heightPx: number; columnCount: number }) {
  if (heightPx <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: no control is in it, it only keeps the place of rows not drawn
    <tr aria-hidden="true">
      <td colSpan={columnCount} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}
