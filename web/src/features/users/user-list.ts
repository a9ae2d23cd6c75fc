import type { User } from '@sluice/contract';

export type UserStatus = 'active' | 'inactive' | 'blocked';

/** Blocked says more than inactive; active means that the user may work. */
export function statusOf(user: Pick<User, 'is_active' | 'is_blocked'>): UserStatus {
  if (user.is_blocked) return 'blocked';
  return user.is_active ? 'active' : 'inactive';
}

export function countUsers(users: readonly User[]) {
  const countOf = (status: UserStatus) => users.filter((user) => statusOf(user) === status).length;
  return { total: users.length, active: countOf('active'), blocked: countOf('blocked') };
}

/** The users of a status whose name or e-mail address contains the text, whatever its case. */
export function findUsers(
  users: readonly User[],
  { text, status }: { text: string; status?: UserStatus | undefined },
): readonly User[] {
  const wanted = text.trim().toLowerCase();
  return users.filter(
    (user) =>
      (status === undefined || statusOf(user) === status) &&
      (user.name.toLowerCase().includes(wanted) || user.email.toLowerCase().includes(wanted)),
  );
}
