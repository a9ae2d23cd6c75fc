import type { RowData } from '@tanstack/react-table';
import { type ChangeEvent, useMemo } from 'react';
import { plainText } from './column.ts';
import type { ListViewProps } from './list-view-props.ts';
import type { RowAbilities } from './table-row.tsx';
import { useStable } from './use-stable.ts';

/** Derives the shared row actions from the list's props. */
export function useRowAbilities<Row extends RowData>(
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
