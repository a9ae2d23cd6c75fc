import './floating.css';
import { Button, Popover } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useId } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import type { Opening } from '../ui/lazy-opener.tsx';
import styles from './column-choices.module.css';
import { densities } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

const names = { compact: 'Compact', regular: 'Regular', comfortable: 'Comfortable' };

export function DensityChoice({ state }: { state: TableState }) {
  const group = useId();
  const chosen = state.search.density ?? document.documentElement.dataset.density ?? 'regular';
  return (
    <fieldset className={styles.densities}>
      <legend>Row height</legend>
      {densities.map((density) => (
        <label key={density}>
          <input
            type="radio"
            name={group}
            checked={chosen === density}
            onChange={() => state.change({ density })}
          />
          {names[density]}
        </label>
      ))}
    </fieldset>
  );
}

interface ColumnChoice {
  id: string;
  name: string;
  isShown: boolean;
  isHideable: boolean;
  isPinned: boolean;
  show: (isShown: boolean) => void;
  canMove: (step: -1 | 1) => boolean;
  move: (step: -1 | 1) => void;
}

interface ColumnChoicesProps {
  opening: Opening;
  choices: readonly ColumnChoice[];
  state: TableState;
}

export function ColumnChoices({ opening, choices, state }: ColumnChoicesProps) {
  const reset = () =>
    state.change({ hide: undefined, show: undefined, order: undefined, density: undefined });
  return (
    <Popover position="bottom-end" width={280} trapFocus {...opening.floatingProps}>
      <Popover.Target>{opening.anchor}</Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={styles.chooser}>
        <ul>
          {choices.map((choice) => (
            <Choice key={choice.id} choice={choice} />
          ))}
        </ul>
        <DensityChoice state={state} />
        <Button variant="subtle" onClick={reset}>
          Reset
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice({ choice }: { choice: ColumnChoice }) {
  const moveByKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    choice.move(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className={styles.choice} onKeyDown={moveByKey}>
      <label className={styles.name}>
        <input
          type="checkbox"
          checked={choice.isShown}
          disabled={!choice.isHideable}
          onChange={(event) => choice.show(event.currentTarget.checked)}
        />
        {choice.name}
      </label>
      {!choice.isPinned && (
        <>
          <MoveButton choice={choice} step={-1} />
          <MoveButton choice={choice} step={1} />
        </>
      )}
    </li>
  );
}

function MoveButton({ choice, step }: { choice: ColumnChoice; step: -1 | 1 }) {
  return (
    <IconButton
      label={`Move ${choice.name} ${step === -1 ? 'up' : 'down'}`}
      icon={step === -1 ? ArrowUp : ArrowDown}
      iconSize={14}
      aria-disabled={!choice.canMove(step)}
      onClick={() => choice.move(step)}
    />
  );
}
