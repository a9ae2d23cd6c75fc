import type { Comparison } from '@sluice/contract';
import { recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type ComparisonRow, findComparison } from './store.ts';
import { toComparison } from './to-comparison.ts';

export function getComparison({ inTenant, principal }: SignedInContext, id: string): Promise<Comparison> {
  return inTenant(async (tx) => toComparison(await readComparison(tx, principal, id), principal.userId));
}

/**
 * Returns a comparison. Reading another user's requires access to the log and is audited.
 * @throws ConsoleError 404 if the caller may not read it.
 */
export async function readComparison(
  tx: TenantTransaction,
  principal: SignedInContext['principal'],
  id: string,
): Promise<ComparisonRow> {
  const row = await findComparison(tx, principal, id);
  const isOwn = row?.userId === principal.userId;
  if (!row || !(isOwn || isAllowed(principal, 'logs.read'))) throw notFound('Comparison');
  await recordPromptRead(tx, id);
  return row;
}
