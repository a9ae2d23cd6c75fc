import type { ComparisonResult } from '@sluice/contract';
import { SelectField } from '../../components/forms/select-field.tsx';
import styles from './results.module.css';

interface DifferenceChoiceProps {
  results: readonly ComparisonResult[];
  /** Id of the result that the others are compared with. */
  base: string | null;
  onChoose: (base: string | null) => void;
}

/** Selects the result that the others are compared with; hidden with fewer than two text answers. */
export function DifferenceChoice({ results, base, onChoose }: DifferenceChoiceProps) {
  const worded = results.filter(({ status, response_text }) => status === 'completed' && response_text);
  if (worded.length < 2) return null;
  return (
    <SelectField
      className={styles.difference}
      aria-label="Word differences"
      placeholder="No word differences"
      options={worded.map(({ id, label, model_name }, index) => ({
        value: id,
        label: ['Differences from', label ?? index + 1].join(' ') + (model_name ? `: ${model_name}` : ''),
      }))}
      value={base}
      onChange={(chosen) => onChoose(chosen || null)}
    />
  );
}
