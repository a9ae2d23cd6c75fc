import { SegmentedSwitch } from '../ui/segmented-switch.tsx';
import { StatusMark } from '../ui/status-mark.tsx';

interface Switched {
  readonly is_active: boolean;
}

export type ActiveStatus = 'active' | 'inactive';

export const statusOf = ({ is_active }: Switched): ActiveStatus => (is_active ? 'active' : 'inactive');

export function countByStatus(items: readonly Switched[]) {
  const active = items.filter(({ is_active }) => is_active).length;
  return { total: items.length, active, inactive: items.length - active };
}

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

interface ActiveFilterProps {
  /** Selected status; `undefined` lists active and inactive rows. */
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

export function ActiveMark({ isActive, noun }: { isActive: boolean; noun?: string }) {
  const word = isActive ? 'Active' : 'Inactive';
  return <StatusMark kind={isActive ? 'ok' : 'off'}>{noun ? `${word} ${noun}` : word}</StatusMark>;
}
