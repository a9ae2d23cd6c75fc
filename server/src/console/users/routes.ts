import type { usersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { blockUser, unblockUser } from './block.ts';
import { changeUsers } from './change-many.ts';
import { changePassword } from './change-password.ts';
import { createUser } from './create.ts';
import { getUserStanding } from './get-standing.ts';
import { getUser, listUsers } from './read.ts';
import { updateUser } from './update.ts';

export function createUsersHandlers({
  passwords,
}: {
  readonly passwords: Pick<PasswordHasher, 'hash'>;
}): Handlers<typeof usersRoutes> {
  return {
    listUsers: (ctx, { query }) => listUsers(ctx, query),
    getUser: (ctx, { params }) => getUser(ctx, params.id),
    getUserStanding: (ctx, { params }) => getUserStanding(ctx, params.id),
    createUser: (ctx, { body }) => createUser(passwords, ctx, body),
    updateUser: (ctx, { params, body }) => updateUser(ctx, params.id, body),
    changeUsers: (ctx, { body }) => changeUsers(ctx, body),
    blockUser: (ctx, { params, query }) => blockUser(ctx, params.id, query.reason),
    unblockUser: (ctx, { params }) => unblockUser(ctx, params.id),
    changeUserPassword: (ctx, { params, body }) => changePassword(passwords, ctx, params.id, body.password),
  };
}
