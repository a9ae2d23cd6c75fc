import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { findMembership, type MemberRow, type Place } from './store.ts';

/** A person's place in a team that the caller manages. @throws ConsoleError 404 when the person has none. */
export async function requireMember(
  tx: TenantTransaction,
  tenantId: number,
  place: Place,
): Promise<MemberRow> {
  const member = await findMembership(tx, tenantId, place);
  if (!member) throw notFound('Team member');
  return member;
}
