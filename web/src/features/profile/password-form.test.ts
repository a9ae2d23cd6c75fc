import { expect, it } from 'vitest';
import { passwordForm } from './password-panel.tsx';

const problemsOf = (current_password: string, new_password: string, confirmation: string) =>
  passwordForm
    .safeParse({ current_password, new_password, confirmation })
    .error?.issues.map(({ path, message }) => [path[0], message]) ?? [];

it.each([
  [
    ['', '', ''],
    [
      ['current_password', 'Current password is required'],
      ['new_password', 'New password is required'],
      ['confirmation', 'Please confirm your new password'],
    ],
  ],
  [['secret1', 'short', 'short'], [['new_password', 'New password must be at least 6 characters']]],
  [
    ['secret1', 'secret1', 'secret1'],
    [['new_password', 'New password must be different from current password']],
  ],
  [['secret1', 'secret2', 'secret3'], [['confirmation', 'Passwords do not match']]],
  [['secret1', 'secret2', 'secret2'], []],
] as const)('passwordForm, given %j, reports the problems %j', (fields, problems) => {
  const [current, next, confirmation] = fields;
  const found = problemsOf(current, next, confirmation);
  for (const problem of problems) expect(found).toContainEqual(problem);
  if (problems.length === 0) expect(found).toEqual([]);
});
