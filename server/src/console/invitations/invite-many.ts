import { type BulkOutcomes, createInvitationBody } from '@sluice/contract';
import { requireMayAssign } from '#console/users/create.ts';
import { attempt } from '#db/attempt.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { invitePerson } from './change.ts';
import type { IssueDeps } from './link.ts';

/** Returns the reason for rejection per row, or `null` for accepted rows. */
export async function createInvitations(
  deps: IssueDeps,
  tx: TenantTransaction,
  author: Principal,
  rows: readonly object[],
): Promise<BulkOutcomes> {
  const outcomes: BulkOutcomes = [];
  for (const [index, row] of rows.entries()) {
    const parsed = createInvitationBody.safeParse(row);
    if (!parsed.success) {
      outcomes.push({ index, error: parsed.error.issues[0]?.message ?? 'This row is not valid' });
      continue;
    }
    const rejection = await attempt(tx, async () => {
      requireMayAssign(author, parsed.data.role);
      await invitePerson(deps, tx, author, parsed.data);
    });
    outcomes.push({ index, error: rejection?.message ?? null });
  }
  return outcomes;
}
