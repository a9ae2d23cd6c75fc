import { type AuditEntry, type AuditEntryDetails, auditedAmounts, toUsd } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { readLinkNames } from './link-names.ts';
import {
  type AuditFilters,
  type AuditRow,
  auditCondition,
  countEntries,
  findEntry,
  selectEntries,
} from './store.ts';

function toAuditEntry(row: AuditRow): AuditEntry {
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
    before: row.before && toDollarColumns(row.before, row.measure),
    after: row.after && toDollarColumns(row.after, row.measure),
    measure: row.measure,
    request_id: row.requestId,
    address: row.address,
  };
}

/** Converts monetary amounts in a row from nano-dollars to dollars. */
function toDollarColumns(
  columns: Record<string, unknown>,
  measure: AuditEntry['measure'],
): Record<string, unknown> {
  const isMoney = (name: string) =>
    auditedAmounts[name] === 'money' || (auditedAmounts[name] === 'limit' && measure === 'usd');
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      isMoney(name) && typeof value === 'number' ? toUsd(BigInt(value)) : value,
    ]),
  );
}

/**
 * Returns a page of the tenant's audit entries, newest first. Super administrators also see entries of the
 * installation.
 */
export async function listAuditEntries(
  tx: TenantTransaction,
  author: Principal,
  {
    skip,
    limit,
    before,
    ...filters
  }: AuditFilters & { skip: number; limit: number; before?: number | undefined },
): Promise<Page<AuditEntry[]>> {
  const condition = auditCondition(author, filters, before);
  const totalCount = formatTotalCount(await countEntries(tx, condition));
  const rows = await selectEntries(tx, author, condition, { skip, limit });
  return new Page(rows.map(toAuditEntry), totalCount);
}

export async function getAuditEntry(
  tx: TenantTransaction,
  author: Principal,
  id: number,
): Promise<AuditEntryDetails> {
  const row = await findEntry(tx, author, id);
  if (!row) throw notFound('Audit entry');
  return { ...toAuditEntry(row), link_names: await readLinkNames(tx, row) };
}

const batchRows = 500;

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
      measure: ({ measure }) => measure,
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
