import { type Role, userRole } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { describeInvitedRoles, describeRoleChoices, isLimitReached, listReachedLimits } from './field.tsx';

const admin = (current_count: number, max_allowed: number | null): Role => ({
  id: 2,
  name: 'admin',
  description: 'Manages one tenant',
  can_assign: max_allowed === null || current_count < max_allowed,
  current_count,
  max_allowed,
  ...(max_allowed !== null && { limit: { taken: current_count, allowed: max_allowed, plan: 'Pro' } }),
});

describe('describeRoleChoices', () => {
  it('describeRoleChoices shows the number of administrators and the limit of the plan', () => {
    expect(describeRoleChoices([userRole, admin(1, 3)])).toEqual([
      { value: 3, label: 'User', isDisabled: false },
      { value: 2, label: 'Admin (1/3)', isDisabled: false },
    ]);
    expect(describeRoleChoices([admin(1, null)])[0]?.label).toBe('Admin');
  });

  it('describeRoleChoices disables roles that cannot be assigned, except the current one', () => {
    expect(describeRoleChoices([admin(3, 3)])[0]).toMatchObject({ isDisabled: true, note: 'Limit reached' });
    expect(describeRoleChoices([admin(3, 3)], { id: 2, name: 'admin' })[0]?.isDisabled).toBe(false);
  });

  it('describeRoleChoices includes the current role even if roles failed to load', () => {
    const choices = describeRoleChoices([userRole], { id: 1, name: 'super_admin' });
    expect(choices.at(-1)).toEqual({ value: 1, label: 'Super admin', isDisabled: false });
  });
});

describe('isLimitReached', () => {
  it.each([
    [2, 3, false],
    [3, 3, true],
    [4, 3, true],
    [9, null, false],
    [0, 0, true],
  ])('isLimitReached with %i of %s returns %s', (current, max, isReached) => {
    expect(isLimitReached(admin(current, max))).toBe(isReached);
  });
});

describe('describeInvitedRoles', () => {
  it('describeInvitedRoles uses role names as values and marks a reached limit', () => {
    const full = { ...admin(3, 3), can_assign: false };
    expect(describeInvitedRoles([userRole, full])).toEqual([
      { value: 'user', label: 'User', isDisabled: false },
      { value: 'admin', label: 'Admin (3/3) (Limit reached)', isDisabled: true },
    ]);
  });
});

describe('listReachedLimits', () => {
  const users = (plan: string | null): Role => ({
    ...userRole,
    can_assign: false,
    limit: { taken: 5, allowed: 5, plan },
  });

  it('listReachedLimits returns usage, limit and plan', () => {
    expect(listReachedLimits([admin(3, 3), users('Pro')])).toEqual([
      {
        role: 'admin',
        title: 'Admin limit reached. Upgrade your plan to create more admins.',
        figures: '3 of 3 admins on the plan Pro are in use.',
        remedy: 'upgrade',
      },
      {
        role: 'user',
        title: 'User limit reached. Upgrade your plan to create more users.',
        figures: '5 of 5 users on the plan Pro are in use.',
        remedy: 'upgrade',
      },
    ]);
  });

  it('listReachedLimits names the super administrator if no plan sets the limit', () => {
    expect(listReachedLimits([users(null)])).toMatchObject([
      { figures: '5 of 5 users of this tenant are in use.', remedy: 'ask' },
    ]);
    const operator: Role = { id: 1, name: 'super_admin', description: '', can_assign: true };
    expect(listReachedLimits([operator, users('Pro')])).toMatchObject([{ remedy: 'set' }]);
  });

  it('listReachedLimits returns nothing below the limit, or for users who have the role', () => {
    expect(listReachedLimits([users('Pro'), admin(2, 3)], { id: 3, name: 'user' })).toEqual([]);
  });
});
