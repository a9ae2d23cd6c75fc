import type { auditLogRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { exportAuditEntries, getAuditEntry, listAuditEntries } from './read.ts';

export function createAuditLogHandlers(): Handlers<typeof auditLogRoutes> {
  return {
    listAuditEntries: (ctx, { query }) => listAuditEntries(ctx, query),
    exportAuditEntries: (ctx, { query }) => exportAuditEntries(ctx, query),
    getAuditEntry: (ctx, { params }) => getAuditEntry(ctx, params.id),
  };
}
