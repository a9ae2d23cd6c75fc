import type { UserProfile } from '@sluice/contract';
import { readPermissions } from '#console/teams/read-permissions.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findPerson, renamePerson, selectOwnUsage } from './store.ts';
import { scoreNow } from './usage.ts';

export function getUserProfile({ principal, inTenant }: SignedInContext): Promise<UserProfile> {
  return inTenant((tx) => readProfile(tx, principal));
}

export function updateUserProfile(
  { principal, inTenant }: SignedInContext,
  name: string,
): Promise<UserProfile> {
  return inTenant(async (tx) => {
    await renamePerson(tx, principal, name);
    return readProfile(tx, principal);
  });
}

/**
 * Returns the caller's profile.
 * @throws ConsoleError 404 for an operator who acts for another tenant.
 */
export async function readProfile(tx: TenantTransaction, principal: Principal): Promise<UserProfile> {
  const person = await findPerson(tx, principal);
  if (!person) throw notFound('User');
  const usage = await selectOwnUsage(tx, principal, 'infinity');
  return {
    name: person.name,
    email: person.email,
    created_at: person.createdAt.toISOString(),
    last_login: person.lastLoginAt?.toISOString() ?? null,
    total_tokens_used: usage.tokens,
    current_deviation_score: scoreNow(person),
    role: { name: principal.role, permissions: await readPermissions(tx, principal) },
  };
}
