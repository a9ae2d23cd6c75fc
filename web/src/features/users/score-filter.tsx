import { ChoiceFilter } from '../../components/data-table/filter-bar.tsx';
import { scoreLevels } from '../../lib/score-level.ts';
import type { ScoreChoice } from './find.ts';

interface ScoreFilterProps {
  chosen: ScoreChoice | undefined;
  onChoose: (score: ScoreChoice | undefined) => void;
}

const options = [
  { value: 'elevated', label: `Score above ${scoreLevels.elevated}` },
  { value: 'high', label: `Score above ${scoreLevels.high}` },
] as const;

/** Filter by elevated or high score. */
export function ScoreFilter({ chosen, onChoose }: ScoreFilterProps) {
  return (
    <ChoiceFilter
      label="Score"
      isLabelHidden
      everything="Any score"
      value={chosen}
      options={options}
      onChoose={(value) => onChoose(options.find((option) => option.value === value)?.value)}
    />
  );
}
