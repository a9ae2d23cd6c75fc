import type { ActiveStatus } from '../../lib/active-status.ts';
import { SegmentedSwitch } from '../ui/segmented-switch.tsx';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

interface ActiveFilterProps {
  /** Absent: both. */
  value: ActiveStatus | undefined;
  onChoose: (status: ActiveStatus | undefined) => void;
}

export function ActiveFilter({ value, onChoose }: ActiveFilterProps) {
  return (
    <SegmentedSwitch
      label="Status"
      options={statuses}
      value={value ?? 'all'}
      onChange={(status) => onChoose(status === 'all' ? undefined : status)}
    />
  );
}
