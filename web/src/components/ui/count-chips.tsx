import { formatCount } from '#lib/format-number.ts';
import styles from './count-chips.module.css';

export interface CountChip<Value> {
  label: string;
  /** `undefined` while unknown. */
  count: number | undefined;
  value: Value;
}

interface CountChipsProps<Value> {
  /** Accessible name, for example `Users by status`. */
  label: string;
  chips: readonly CountChip<Value>[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** Clicking a count filters by its kind. */
export function CountChips<Value>({ label, chips, chosen, onChoose }: CountChipsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div className={styles.chips} role="group" aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.label}
          type="button"
          className={styles.chip}
          aria-pressed={chosen === chip.value}
          onClick={() => onChoose(chip.value)}
        >
          {chip.count !== undefined && (
            <span className={`num ${styles.count}`}>{formatCount(chip.count)}</span>
          )}{' '}
          {chip.label}
        </button>
      ))}
    </div>
  );
}
