import type { User } from '@sluice/contract';
import { findByText } from '#components/data-table/column.ts';
import { scoreLevels } from '#lib/score-level.ts';

export type UserStatus = 'active' | 'inactive' | 'blocked';

type AccountFlags = Pick<User, 'is_active' | 'is_blocked'>;

/** Returns all statuses of a user: active, or inactive and blocked, which may both apply. */
export function statusesOf({ is_active, is_blocked }: AccountFlags): readonly [UserStatus, ...UserStatus[]] {
  if (is_active) return is_blocked ? ['blocked'] : ['active'];
  return is_blocked ? ['inactive', 'blocked'] : ['inactive'];
}

export const hasStatus = (user: AccountFlags, status: UserStatus): boolean =>
  statusesOf(user).includes(status);

export function countUsers(users: readonly User[]) {
  const countOf = (status: UserStatus) => users.filter((user) => hasStatus(user, status)).length;
  return { total: users.length, active: countOf('active'), blocked: countOf('blocked') };
}

export type ScoreChoice = keyof typeof scoreLevels;

/** Returns users filtered by status, minimum score, and text in name or e-mail, ignoring case. */
export function filterUsers(
  users: readonly User[],
  { text, status, score }: { text: string; status?: UserStatus | undefined; score?: ScoreChoice | undefined },
): readonly User[] {
  const listed = users.filter(
    (user) =>
      (status === undefined || hasStatus(user, status)) &&
      (score === undefined || user.deviation_score > scoreLevels[score]),
  );
  return findByText(listed, text, ({ name, email }) => [name, email]);
}
