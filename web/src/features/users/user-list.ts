import type { User } from '@sluice/contract';

/** Active means that the user may work: active and not blocked. */
export function isWorking(user: User): boolean {
  return user.is_active && !user.is_blocked;
}

export function countUsers(users: readonly User[]) {
  return {
    total: users.length,
    active: users.filter(isWorking).length,
    blocked: users.filter((user) => user.is_blocked).length,
  };
}

/** The users whose name or e-mail address contains the text, whatever its case. */
export function searchUsers(users: readonly User[], text: string): readonly User[] {
  const wanted = text.trim().toLowerCase();
  return users.filter(
    ({ name, email }) => name.toLowerCase().includes(wanted) || email.toLowerCase().includes(wanted),
  );
}
