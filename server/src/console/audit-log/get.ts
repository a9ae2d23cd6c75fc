import type { AuditEntry } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findEntry } from './store.ts';
import { toAuditEntry } from './to-audit-entry.ts';

export async function getAuditEntry(
  { principal, inTenant }: SignedInContext,
  id: number,
): Promise<AuditEntry> {
  const row = await inTenant((tx) => findEntry(tx, principal, id));
  if (!row) throw notFound('Audit entry');
  return toAuditEntry(row);
}
