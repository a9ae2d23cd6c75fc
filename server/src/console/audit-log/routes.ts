import type { auditLogRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { exportAuditEntries } from './export.ts';
import { getAuditEntry } from './get.ts';
import { listAuditEntries } from './list.ts';

export function createAuditLogHandlers(): Handlers<typeof auditLogRoutes> {
  return {
    listAuditEntries: (ctx, { query }) => listAuditEntries(ctx, query),
    exportAuditEntries: (ctx, { query }) => exportAuditEntries(ctx, query),
    getAuditEntry: (ctx, { params }) => getAuditEntry(ctx, params.id),
  };
}
