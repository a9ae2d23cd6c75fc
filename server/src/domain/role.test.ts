import { roleNames } from '@sluice/contract';
import { expect, it } from 'vitest';
import { mayManage } from './role.ts';

it('lets nobody manage a role above their own, and users manage nobody', () => {
  const managed = roleNames.map((actor) => [actor, roleNames.filter((role) => mayManage(actor, role))]);
  expect(Object.fromEntries(managed)).toEqual({
    super_admin: ['super_admin', 'admin', 'user'],
    admin: ['admin', 'user'],
    user: [],
  });
});
