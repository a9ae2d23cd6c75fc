import type { User } from '@sluice/contract';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Tip } from '#components/ui/tip.tsx';
import { statusesOf } from './filter-users.ts';
import styles from './status.module.css';

const statusMarks = {
  active: { kind: 'ok', word: 'Active' },
  inactive: { kind: 'off', word: 'Inactive' },
  blocked: { kind: 'bad', word: 'Blocked' },
} as const;

export function UserStatusMarks({ user }: { user: User }) {
  return (
    <span className={styles.marks}>
      {statusesOf(user).map((status) => (
        <StatusMark key={status} kind={statusMarks[status].kind}>
          {statusMarks[status].word}
        </StatusMark>
      ))}
    </span>
  );
}

/** The reason of a block appears on hover and focus. */
export function UserStatus({ user }: { user: User }) {
  const marks = <UserStatusMarks user={user} />;
  if (!user.is_blocked || user.blocked_reason === null) return marks;
  return (
    <Tip label={user.blocked_reason ?? null} multiline maw="20rem">
      <button type="button" className={styles.reason}>
        {marks}
      </button>
    </Tip>
  );
}
