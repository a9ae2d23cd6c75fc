import type { usersRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { blockUser, unblockUser } from './block.ts';
import { changeUsers } from './change-many.ts';
import { changeUserPassword, hashNewPassword } from './change-password.ts';
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
    listUsers: read(listUsers, ({ query }) => query),
    getUser: read(getUser, ({ params }) => params.id),
    getUserStanding: read(getUserStanding, ({ params }) => params.id),
    createUser: write(createUser, async ({ body: { password, ...user } }, author) => ({
      ...user,
      passwordHash: await hashNewPassword(passwords, author, password),
    })),
    updateUser: write(updateUser, ({ params, body }) => ({ userId: params.id, body })),
    changeUsers: write(changeUsers, ({ body }) => body),
    blockUser: write(blockUser, ({ params, query }) => ({ userId: params.id, reason: query.reason })),
    unblockUser: write(unblockUser, ({ params }) => params.id),
    changeUserPassword: write(changeUserPassword, async ({ params, body }, author) => ({
      userId: params.id,
      passwordHash: await hashNewPassword(passwords, author, body.password),
    })),
  };
}
