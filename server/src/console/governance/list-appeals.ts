import type { Appeal } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { type AppealStatus, selectAppealPage, selectAppealsOf } from './appeals-store.ts';
import { toAppeal } from './to-appeal.ts';

export async function listOwnAppeals({ principal, inTenant }: SignedInContext): Promise<Appeal[]> {
  const rows = await inTenant((tx) => selectAppealsOf(tx, principal.userId));
  return rows.map(toAppeal);
}

export async function listAppeals(
  { principal, inTenant }: SignedInContext,
  { status, ...page }: { status?: AppealStatus | undefined; skip: number; limit: number },
): Promise<Appeal[]> {
  const rows = await inTenant((tx) => selectAppealPage(tx, principal.tenantId, { status, ...page }));
  return rows.map(toAppeal);
}
