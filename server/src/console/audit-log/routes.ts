import type { auditLogRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read } from '#http/verbs.ts';
import { exportAuditEntries, getAuditEntry, listAuditEntries } from './read.ts';

export function createAuditLogHandlers(): Handlers<typeof auditLogRoutes> {
  return {
    listAuditEntries: read(listAuditEntries, ({ query }) => query),
    exportAuditEntries: outside('streams a file', (ctx, { query }) => exportAuditEntries(ctx, query)),
    getAuditEntry: read(getAuditEntry, ({ params }) => params.id),
  };
}
