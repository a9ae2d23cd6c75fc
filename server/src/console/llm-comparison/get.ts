import type { Comparison } from '@sluice/contract';
import { recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import { isAllowed } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findComparison } from './store.ts';
import { toComparison } from './to-comparison.ts';

/** Another person's is there for those alone who may read the log, and that they read it is noted. */
export function getComparison({ inTenant, principal }: SignedInContext, id: string): Promise<Comparison> {
  return inTenant(async (tx) => {
    const row = await findComparison(tx, principal.tenantId, id);
    const isOwn = row?.userId === principal.userId;
    if (!row || !(isOwn || isAllowed(principal, 'logs.read'))) throw notFound('Comparison');
    await recordPromptRead(tx, id);
    return toComparison(row);
  });
}
