import { Button } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { Columns3 } from 'lucide-react';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useLazyOpener } from '../ui/lazy-opener.tsx';
import { moveColumn, readVisibility, writeOrder, writeVisibility } from './table-search.ts';
import type { DataTableModel } from './use-data-table.ts';

const ColumnChoices = lazyPart(() => import('./column-choices.tsx'), 'ColumnChoices');

export function ColumnChooser<Row extends RowData>({ model }: { model: DataTableModel<Row> }) {
  const { isUsed, buttonProps, opening } = useLazyOpener('dialog');
  return (
    <>
      <Button
        {...buttonProps}
        variant="default"
        leftSection={<Columns3 size={14} strokeWidth={1.5} aria-hidden />}
      >
        Columns
      </Button>
      {isUsed && <ColumnChoices opening={opening} choices={describeChoices(model)} state={model.state} />}
    </>
  );
}

function describeChoices<Row extends RowData>({ state, columns, listedColumns }: DataTableModel<Row>) {
  const order = columns.map(({ id }) => id);
  const visibility = readVisibility(state.search, columns);
  return columns.map(({ id, name, isHideable, isPinned = false }) => {
    const moved = (step: -1 | 1) => moveColumn(order, id, step, columns);
    return {
      id,
      name,
      isShown: visibility[id] ?? false,
      isHideable: isHideable !== false,
      isPinned,
      canMove: (step: -1 | 1) => moved(step) !== order,
      move: (step: -1 | 1) => state.change({ order: writeOrder(moved(step), listedColumns) }),
      show: (isShown: boolean) =>
        state.change(writeVisibility({ ...visibility, [id]: isShown }, listedColumns)),
    };
  });
}
