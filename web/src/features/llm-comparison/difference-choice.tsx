import type { ComparisonResult } from '@sluice/contract';
import { SelectField } from '../../components/forms/select-field.tsx';
import styles from './results.module.css';

interface DifferenceChoiceProps {
  results: readonly ComparisonResult[];
  /** The id of the result that the others are held against. */
  base: string | null;
  onChoose: (base: string | null) => void;
}

/** Whose words the others' are held against; absent where fewer than two have answered in words. */
export function DifferenceChoice({ results, base, onChoose }: DifferenceChoiceProps) {
  const worded = results.filter(({ status, response_text }) => status === 'completed' && response_text);
  if (worded.length < 2) return null;
  return (
    <SelectField
      className={styles.difference}
      aria-label="Word differences"
      placeholder="No word differences"
      options={worded.map(({ id, model_name }, index) => ({
        value: id,
        label: `Differences from ${index + 1}: ${model_name}`,
      }))}
      value={base}
      onChange={(chosen) => onChoose(chosen || null)}
    />
  );
}
