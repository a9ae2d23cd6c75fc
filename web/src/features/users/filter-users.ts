import type { User } from '@sluice/contract';
import { findByText } from '#components/data-table/column.ts';
import { scoreLevels } from '#lib/score-level.ts';

export type UserStatus = 'active' | 'inactive' | 'blocked';

type AccountFlags = Pick<User, 'is_active' | 'is_blocked'>;

/** Returns all statuses of a user. A user can be both inactive and blocked. */
export function statusesOf({ is_active, is_blocked }: AccountFlags): readonly [UserStatus, ...UserStatus[]] {
  if (is_active) return is_blocked ? ['blocked'] : ['active'];
  return is_blocked ? ['inactive', 'blocked'] : ['inactive'];
}

export const hasStatus = (user: AccountFlags, status: UserStatus): boolean =>
  statusesOf(user).includes(status);

/** Excludes service accounts, which have a separate page. */
const isPerson = ({ kind }: User) => kind === 'person';

export function countUsers(all: readonly User[]) {
  const users = all.filter(isPerson);
  const countOf = (status: UserStatus) => users.filter((user) => hasStatus(user, status)).length;
  return { total: users.length, active: countOf('active'), blocked: countOf('blocked') };
}

export type ScoreChoice = keyof typeof scoreLevels;

const nearShare = 0.8;

/** Whether an active user has used at least 80% of a daily or monthly token limit. */
export function isNearLimit(user: User): boolean {
  const isNear = (used: number, limit: number | null) =>
    limit !== null && limit > 0 && used >= nearShare * limit;
  return (
    user.is_active &&
    (isNear(user.current_daily_usage, user.daily_quota) ||
      isNear(user.current_monthly_usage, user.monthly_quota))
  );
}

interface UserFilters {
  text: string;
  status?: UserStatus | undefined;
  score?: ScoreChoice | undefined;
  near?: boolean | undefined;
}

/**
 * Returns human users that match the status, the minimum score and the text. The text is searched in name and email,
 * ignoring case.
 */
export function filterUsers(
  users: readonly User[],
  { text, status, score, near }: UserFilters,
): readonly User[] {
  const listed = users.filter(
    (user) =>
      isPerson(user) &&
      (status === undefined || hasStatus(user, status)) &&
      (score === undefined || user.deviation_score > scoreLevels[score]) &&
      (!near || isNearLimit(user)),
  );
  return findByText(listed, text, ({ name, email }) => [name, email]);
}
