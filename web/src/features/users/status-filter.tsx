import type { User } from '@sluice/contract';
import { CountChips } from '../../components/ui/count-chips.tsx';
import { countUsers } from './find.ts';

export type StatusChoice = 'active' | 'blocked' | undefined;

interface StatusFilterProps {
  users: readonly User[];
  chosen: StatusChoice;
  onChoose: (status: StatusChoice) => void;
}

/** Filter by status with counts. */
export function StatusFilter({ users, chosen, onChoose }: StatusFilterProps) {
  const counts = countUsers(users);
  const chips = [
    { label: 'Total', count: counts.total, value: undefined },
    { label: 'Active', count: counts.active, value: 'active' },
    { label: 'Blocked', count: counts.blocked, value: 'blocked' },
  ] as const;
  return (
    <CountChips<StatusChoice> label="Users by status" chips={chips} chosen={chosen} onChoose={onChoose} />
  );
}
