import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { findMembership, type MemberRow, type Place } from './store.ts';

/**
 * Returns a user's membership in a team that the caller manages.
 * @throws ConsoleError 404 if the user is not a member.
 */
export async function requireMember(
  tx: TenantTransaction,
  tenantId: number,
  place: Place,
): Promise<MemberRow> {
  const member = await findMembership(tx, tenantId, place);
  if (!member) throw notFound('Team member');
  return member;
}
