import type { UserProfile } from '@sluice/contract';
import { readPermissions } from '#console/teams/read-permissions.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { findPerson, renamePerson, selectOwnUsage } from './store.ts';
import { scoreNow } from './usage.ts';

export async function updateUserProfile(
  tx: TenantTransaction,
  author: Principal,
  name: string,
): Promise<UserProfile> {
  await renamePerson(tx, author, name);
  return getUserProfile(tx, author);
}

/** @throws ConsoleError 404 if the caller is an operator acting for another tenant */
export async function getUserProfile(tx: TenantTransaction, author: Principal): Promise<UserProfile> {
  const person = await findPerson(tx, author);
  if (!person) throw notFound('User');
  const usage = await selectOwnUsage(tx, author, 'infinity');
  return {
    name: person.name,
    email: person.email,
    created_at: person.createdAt.toISOString(),
    last_login: person.lastLoginAt?.toISOString() ?? null,
    total_tokens_used: usage.tokens,
    current_deviation_score: scoreNow(person),
    role: { name: author.role, permissions: await readPermissions(tx, author) },
  };
}
