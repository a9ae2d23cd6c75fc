import { roleNames } from '@sluice/contract';
import { expect, it } from 'vitest';
import { mayManage } from './role.ts';

it("mayManage allows no role above the actor's own, and no role at all for users", () => {
  const managed = roleNames.map((actor) => [actor, roleNames.filter((role) => mayManage(actor, role))]);
  expect(Object.fromEntries(managed)).toEqual({
    super_admin: ['super_admin', 'admin', 'user'],
    admin: ['admin', 'user'],
    user: [],
  });
});
