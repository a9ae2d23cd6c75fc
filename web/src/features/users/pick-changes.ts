import type { User, updateUserBody } from '@sluice/contract';
import type { z } from 'zod';

type UserUpdate = z.output<typeof updateUserBody>;

/** Of a filled-in form, the fields that differ from the user's: two people who edit different ones both succeed. */
export function pickChanges(user: User, filledIn: UserUpdate): UserUpdate {
  // safe because the form's fields are fields of the user
  const names = Object.keys(filledIn) as (keyof UserUpdate)[];
  return Object.fromEntries(
    names.filter((name) => filledIn[name] !== user[name]).map((name) => [name, filledIn[name]]),
  );
}
