import { type AuditEntry, toUsd } from '@sluice/contract';
import type { AuditRow } from './store.ts';

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    actor_id: row.actorId,
    actor_name: row.actorName,
    actor_email: row.actorEmail,
    action: row.action,
    object_type: row.objectType,
    object_id: row.objectId,
    object_name: row.objectName,
    before: row.before && toDollarColumns(row.before),
    after: row.after && toDollarColumns(row.after),
    request_id: row.requestId,
    address: row.address,
  };
}

/** Columns in nano-dollars; the API uses dollars. */
const moneyColumns = ['amount', 'balance_before', 'balance_after', 'low_balance_threshold'];

function toDollarColumns(columns: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      moneyColumns.includes(name) && typeof value === 'number' ? toUsd(BigInt(value)) : value,
    ]),
  );
}
