import { type Role, userRole } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { describeInvitedRoles, describeRoleChoices, isAdminLimitReached } from './choices.ts';

const admin = (current_count: number, max_allowed: number | null): Role => ({
  id: 2,
  name: 'admin',
  description: 'Manages one tenant',
  can_assign: max_allowed === null || current_count < max_allowed,
  current_count,
  max_allowed,
});

describe('the choices of a role', () => {
  it("say how many administrators there are of the plan's", () => {
    expect(describeRoleChoices([userRole, admin(1, 3)])).toEqual([
      { value: 3, label: 'User', isDisabled: false },
      { value: 2, label: 'Admin (1/3)', isDisabled: false },
    ]);
    expect(describeRoleChoices([admin(1, null)])[0]?.label).toBe('Admin');
  });

  it('leave out of reach what cannot be given, but for the role that the person has', () => {
    expect(describeRoleChoices([admin(3, 3)])[0]).toMatchObject({ isDisabled: true, note: 'Limit reached' });
    expect(describeRoleChoices([admin(3, 3)], { id: 2, name: 'admin' })[0]?.isDisabled).toBe(false);
  });

  it('hold the role that the person has, whatever could be loaded', () => {
    const choices = describeRoleChoices([userRole], { id: 1, name: 'super_admin' });
    expect(choices.at(-1)).toEqual({ value: 1, label: 'Super admin', isDisabled: false });
  });
});

describe('the limit of administrators', () => {
  it.each([
    [2, 3, false],
    [3, 3, true],
    [4, 3, true],
    [9, null, false],
    [0, 0, true],
  ])('with %i of %s is reached: %s', (current, max, isReached) => {
    expect(isAdminLimitReached([userRole, admin(current, max)])).toBe(isReached);
  });
});

describe('the roles of an invitation', () => {
  it('go by name, and say that a limit is reached', () => {
    const full = { ...admin(3, 3), can_assign: false };
    expect(describeInvitedRoles([userRole, full])).toEqual([
      { value: 'user', label: 'User', isDisabled: false },
      { value: 'admin', label: 'Admin (3/3) (Limit reached)', isDisabled: true },
    ]);
  });
});
