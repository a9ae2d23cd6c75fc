import type { AuditEntry } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { type AuditFilters, auditCondition, selectEntries } from './store.ts';
import { toAuditEntry } from './to-audit-entry.ts';

const batchRows = 500;

/** Exports all entries that match the filters, newest first. */
export function exportAuditEntries(
  ctx: SignedInContext,
  { format, ...filters }: AuditFilters & { format: 'csv' | 'jsonl' },
): Promise<Download> {
  return startExport<AuditEntry, number>(ctx, {
    noun: 'audit-log',
    format,
    filters,
    columns: {
      id: ({ id }) => id,
      timestamp: ({ created_at }) => created_at,
      actor_id: ({ actor_id }) => actor_id,
      actor_name: ({ actor_name }) => actor_name,
      actor_email: ({ actor_email }) => actor_email,
      action: ({ action }) => action,
      object_type: ({ object_type }) => object_type,
      object_id: ({ object_id }) => object_id,
      object_name: ({ object_name }) => object_name,
      before: ({ before }) => before && JSON.stringify(before),
      after: ({ after }) => after && JSON.stringify(after),
      request_id: ({ request_id }) => request_id,
      address: ({ address }) => address,
    },
    keyOf: ({ id }) => id,
    readBatch: async (tx, after) => {
      const condition = auditCondition(ctx.principal, filters, after);
      const rows = await selectEntries(tx, ctx.principal, condition, { skip: 0, limit: batchRows });
      return rows.map(toAuditEntry);
    },
  });
}
