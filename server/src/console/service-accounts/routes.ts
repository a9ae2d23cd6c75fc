import type { serviceAccountsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './accounts.ts';

export function createServiceAccountsHandlers(): Handlers<typeof serviceAccountsRoutes> {
  return {
    listServiceAccounts: read(listServiceAccounts),
    getServiceAccount: read(getServiceAccount, ({ params }) => params.id),
    createServiceAccount: write(createServiceAccount, ({ body }) => body),
    updateServiceAccount: write(updateServiceAccount, ({ params, body }) => ({ id: params.id, body })),
    deleteServiceAccount: write(deleteServiceAccount, ({ params }) => params.id),
  };
}
