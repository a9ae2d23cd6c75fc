import { createInvitationBody } from '@sluice/contract';
import { requireMayAssign } from '#console/users/create.ts';
import { attempt } from '#db/attempt.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { invitePerson } from './change.ts';
import type { IssueDeps } from './link.ts';

/** Invites many users in one transaction and returns the rejection of each row, or `null`. */
export function createInvitations(
  deps: IssueDeps,
  { principal, inTenant }: SignedInContext,
  rows: readonly object[],
): Promise<{ index: number; error: string | null }[]> {
  return inTenant(async (tx) => {
    const outcomes: { index: number; error: string | null }[] = [];
    for (const [index, row] of rows.entries()) {
      const parsed = createInvitationBody.safeParse(row);
      if (!parsed.success) {
        outcomes.push({ index, error: parsed.error.issues[0]?.message ?? 'This row is not valid' });
        continue;
      }
      const rejection = await attempt(tx, async () => {
        requireMayAssign(principal, parsed.data.role);
        await invitePerson(deps, tx, principal, parsed.data);
      });
      outcomes.push({ index, error: rejection?.message ?? null });
    }
    return outcomes;
  });
}
