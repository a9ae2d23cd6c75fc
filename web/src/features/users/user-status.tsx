import { Tooltip } from '@mantine/core';
import type { User } from '@sluice/contract';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { statusOf } from './user-list.ts';
import styles from './user-status.module.css';

export const statusMarks = {
  active: { kind: 'ok', word: 'Active' },
  inactive: { kind: 'off', word: 'Inactive' },
  blocked: { kind: 'bad', word: 'Blocked' },
} as const;

/** Active, inactive or blocked; why somebody is blocked shows on hover and focus. */
export function UserStatus({ user }: { user: User }) {
  const { kind, word } = statusMarks[statusOf(user)];
  const mark = <StatusMark kind={kind}>{word}</StatusMark>;
  if (!user.is_blocked || user.blocked_reason === null) return mark;
  return (
    <Tooltip
      label={user.blocked_reason}
      multiline
      maw="20rem"
      events={{ hover: true, focus: true, touch: true }}
    >
      <button type="button" className={styles.reason}>
        {mark}
      </button>
    </Tooltip>
  );
}
