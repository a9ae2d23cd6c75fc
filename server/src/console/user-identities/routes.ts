import type { userIdentitiesRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { confirmUserIdentity, deleteUserIdentity, listUserIdentities } from './change.ts';

export function createUserIdentitiesHandlers(): Handlers<typeof userIdentitiesRoutes> {
  return {
    listUserIdentities: read(listUserIdentities, ({ query }) => query),
    confirmUserIdentity: write(confirmUserIdentity, ({ params }) => params.id),
    deleteUserIdentity: write(deleteUserIdentity, ({ params }) => params.id),
  };
}
