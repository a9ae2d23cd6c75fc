import { Button, Popover } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { ListedColumn } from './column.ts';
import styles from './column-chooser.module.css';
import { DensityChoice } from './density-choice.tsx';
import './floating.css';
import { moveColumn, readVisibility, writeOrder, writeVisibility } from './table-search.ts';
import type { DataTableModel } from './use-data-table.ts';

/** Which columns a list shows, in which order, and how high its rows are. */
export function ColumnChooser<Row extends RowData>({ model }: { model: DataTableModel<Row> }) {
  const { state, columns } = model;
  return (
    <Popover
      position="bottom-end"
      width={280}
      transitionProps={{ duration: 120, exitDuration: 80 }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={14} strokeWidth={1.5} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={styles.chooser}>
        <ul>
          {columns.map((column) => (
            <Choice key={column.id} model={model} column={column} />
          ))}
        </ul>
        <DensityChoice state={state} />
        <Button
          variant="subtle"
          onClick={() =>
            state.change({ hide: undefined, show: undefined, order: undefined, density: undefined })
          }
        >
          Reset
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChoiceProps<Row extends RowData> {
  model: DataTableModel<Row>;
  column: ListedColumn<Row>;
}

function Choice<Row extends RowData>({ model, column }: ChoiceProps<Row>) {
  const { state, columns } = model;
  const order = columns.map(({ id }) => id);
  const moved = (step: -1 | 1) => moveColumn(order, column.id, step, columns);
  const move = (step: -1 | 1) => state.change({ order: writeOrder(moved(step), model.listedColumns) });
  const visibility = readVisibility(state.search, columns);

  const moveByKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className={styles.choice} onKeyDown={moveByKey}>
      <label className={styles.name}>
        <input
          type="checkbox"
          checked={visibility[column.id] ?? false}
          disabled={column.isHideable === false}
          onChange={(event) =>
            state.change(
              writeVisibility(
                { ...visibility, [column.id]: event.currentTarget.checked },
                model.listedColumns,
              ),
            )
          }
        />
        {column.name}
      </label>
      {!column.isPinned && (
        <>
          <MoveButton name={column.name} step={-1} isDisabled={moved(-1) === order} onMove={move} />
          <MoveButton name={column.name} step={1} isDisabled={moved(1) === order} onMove={move} />
        </>
      )}
    </li>
  );
}

interface MoveButtonProps {
  name: string;
  step: -1 | 1;
  isDisabled: boolean;
  onMove: (step: -1 | 1) => void;
}

function MoveButton({ name, step, isDisabled, onMove }: MoveButtonProps) {
  const Icon = step === -1 ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      className={styles.move}
      aria-label={`Move ${name} ${step === -1 ? 'up' : 'down'}`}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onMove(step)}
    >
      <Icon size={14} strokeWidth={1.5} aria-hidden />
    </button>
  );
}
