import type { outboxRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { exportMails, type LinkOpener, listMails, retryMail } from './mails.ts';

export interface OutboxDeps {
  readonly keyring: LinkOpener;
  readonly hasServer: boolean;
}

export function createOutboxHandlers(deps: OutboxDeps): Handlers<typeof outboxRoutes> {
  return {
    listMails: (ctx, { query }) => listMails(deps.keyring, ctx, query),
    exportMails: (ctx, { query }) => exportMails(deps.keyring, ctx, query),
    retryMail: (ctx, { params }) => retryMail(deps, ctx, params.id),
  };
}
