import type { outboxRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { exportMails, type LinkOpener, listMails, retryMail } from './mails.ts';

export interface OutboxDeps extends LinkOpener {
  readonly hasServer: boolean;
}

export function createOutboxHandlers(deps: OutboxDeps): Handlers<typeof outboxRoutes> {
  return {
    listMails: read(listMails.bind(null, deps), ({ query }) => query),
    exportMails: outside('streams a file', (ctx, { query }) => exportMails(deps, ctx, query)),
    retryMail: write(retryMail.bind(null, deps), ({ params }) => params.id),
  };
}
