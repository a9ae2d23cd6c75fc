import type { User } from '@sluice/contract';
import { formatCount } from '../../lib/format-number.ts';
import styles from './status-filter.module.css';
import { countUsers } from './user-list.ts';

export type StatusChoice = 'active' | 'blocked' | undefined;

interface StatusFilterProps {
  users: readonly User[];
  chosen: StatusChoice;
  onChoose: (status: StatusChoice) => void;
}

/** How many users there are, and how many of them work or are blocked; each figure leads to its rows. */
export function StatusFilter({ users, chosen, onChoose }: StatusFilterProps) {
  const counts = countUsers(users);
  const chips = [
    { label: 'Total', count: counts.total, status: undefined },
    { label: 'Active', count: counts.active, status: 'active' },
    { label: 'Blocked', count: counts.blocked, status: 'blocked' },
  ] as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent with a form
    <div className={styles.chips} role="group" aria-label="Users by status">
      {chips.map(({ label, count, status }) => (
        <button
          key={label}
          type="button"
          className={styles.chip}
          aria-pressed={chosen === status}
          onClick={() => onChoose(status)}
        >
          <span className={`num ${styles.count}`}>{formatCount(count)}</span> {label}
        </button>
      ))}
    </div>
  );
}
