import type { User } from '@sluice/contract';
import { findByText } from '#components/data-table/column.ts';
import { scoreLevels } from '#lib/score-level.ts';

export type UserStatus = 'active' | 'inactive' | 'blocked';

type AccountFlags = Pick<User, 'is_active' | 'is_blocked'>;

/** A user can be both inactive and blocked. */
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

/** Near means at least 80% of a token quota or of a budget that limits the user. */
export const isNearLimit = ({ near_limits }: Pick<User, 'near_limits'>): boolean => near_limits.length > 0;

type NearLimit = User['near_limits'][number];

const limitNames: Readonly<Record<NearLimit['limit'], string>> = {
  tokens_per_day: 'daily tokens',
  tokens_per_month: 'monthly tokens',
  budget: 'budget',
};

/** Describes the limits that a user has reached, else those nearly used: `Near a limit: daily tokens, budget`. */
export function describeNearLimits({ near_limits }: Pick<User, 'near_limits'>): {
  readonly kind: 'bad' | 'warn';
  readonly text: string;
} {
  const name = (limits: readonly NearLimit[]) => limits.map(({ limit }) => limitNames[limit]).join(', ');
  const reached = near_limits.filter(({ is_reached }) => is_reached);
  return reached.length > 0
    ? { kind: 'bad', text: `Limit reached: ${name(reached)}` }
    : { kind: 'warn', text: `Near a limit: ${name(near_limits)}` };
}

interface UserFilters {
  text: string;
  status?: UserStatus | undefined;
  score?: ScoreChoice | undefined;
  near?: boolean | undefined;
}

/** Excludes service accounts. Searches name and email, ignoring case. */
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
