import type { User, updateUserBody } from '@sluice/contract';
import type { z } from 'zod';

type UserUpdate = z.output<typeof updateUserBody>;

/** Returns only changed fields, so that two administrators editing different fields both succeed. */
export function pickChanges(user: User, filledIn: UserUpdate): UserUpdate {
  // safe because the form's fields are fields of the user
  const names = Object.keys(filledIn) as (keyof UserUpdate)[];
  return Object.fromEntries(
    names.filter((name) => filledIn[name] !== user[name]).map((name) => [name, filledIn[name]]),
  );
}
