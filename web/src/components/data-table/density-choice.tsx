import { useId } from 'react';
import styles from './column-choices.module.css';
import { densities } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

const names = { compact: 'Compact', regular: 'Regular', comfortable: 'Comfortable' };

/** How high this list's rows are; as everywhere until something is chosen. */
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
