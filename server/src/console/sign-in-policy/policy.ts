import { isDeepStrictEqual } from 'node:util';
import type { SignInPolicy, updateSignInPolicyBody } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock, shareLock } from '#console/advisory-lock.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import {
  endPasswordSessions,
  findRole,
  hasAdministrator,
  savePolicy,
  selectAdministrators,
  selectPolicy,
} from './store.ts';

export const readSignInPolicy = selectPolicy;

export function getSignInPolicy(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
): Promise<SignInPolicy> {
  return selectPolicy(tx, tenantId);
}

/**
 * Changes the specified fields of the sign-in policy and ends other users' password sessions that it no longer allows.
 * Without local passwords, a break-glass account must remain for an administrator to sign in while the identity
 * provider is unavailable.
 */
export async function updateSignInPolicy(
  tx: TenantTransaction,
  { tenantId, userId }: Author,
  body: z.output<typeof updateSignInPolicyBody>,
): Promise<SignInPolicy> {
  await lockTenantPlan(tx, tenantId);
  const known = await selectPolicy(tx, tenantId);
  const policy = { ...known, ...withoutMissing(body) };
  policy.break_glass_users = [...new Set(policy.break_glass_users)].toSorted((a, b) => a - b);
  const administrators = await selectAdministrators(tx, tenantId, policy.break_glass_users);
  const stranger = policy.break_glass_users.find((id) => !administrators.includes(id));
  if (body.break_glass_users && stranger !== undefined)
    throw invalidField('break_glass_users', 'A break-glass account must be an active administrator');
  if (policy.local_passwords === 'break_glass' && administrators.length === 0)
    throw invalidField(
      'break_glass_users',
      'Choose at least one active administrator who can still sign in with a password',
    );
  if (isDeepStrictEqual(policy, known)) return policy;
  // Wait for sign-ins under the previous policy, so that their sessions are also ended.
  await holdLock(tx, 'signInPolicy', tenantId);
  await savePolicy(tx, tenantId, policy);
  const isStricter =
    policy.local_passwords !== known.local_passwords ||
    !isDeepStrictEqual(policy.break_glass_users, known.break_glass_users);
  if (policy.local_passwords === 'break_glass' && isStricter)
    await endPasswordSessions(tx, tenantId, [...administrators, ...(userId === null ? [] : [userId])]);
  return policy;
}

function withoutMissing<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}

/**
 * Checks whether the policy allows a sign-in without an identity provider. Call it in the transaction that opens the
 * session. Super administrators are always allowed, so that a tenant administrator cannot lock them out.
 * @throws ConsoleError 403 if the tenant's policy does not allow this sign-in
 */
export async function requireLocalSignIn(
  tx: TenantTransaction,
  { tenantId, id }: { readonly tenantId: number; readonly id: number },
  means: 'passwords' | 'passkeys',
): Promise<void> {
  await shareLock(tx, 'signInPolicy', tenantId);
  const policy = await selectPolicy(tx, tenantId);
  if (policy.local_passwords === 'allowed') return;
  const role = await findRole(tx, tenantId, id);
  if (role === 'super_admin' || (role === 'admin' && policy.break_glass_users.includes(id))) return;
  throw new ConsoleError(
    403,
    `Your organization does not allow ${means}. Sign in with its identity provider, or use a break-glass account.`,
  );
}

/** Returns whether the policy allows this user to sign in with a password while other users may not. */
export async function isBreakGlassAccount(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<boolean> {
  const { local_passwords: passwords, break_glass_users: listed } = await selectPolicy(tx, tenantId);
  return passwords === 'break_glass' && listed.includes(userId);
}

/**
 * Ensures that a tenant without local passwords keeps a break-glass account. The caller must hold the lock on the
 * tenant's plan.
 * @throws ConsoleError 409 if this user has the last break-glass account
 */
export async function requireOtherBreakGlassAccount(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<void> {
  const { local_passwords: passwords, break_glass_users: listed } = await selectPolicy(tx, tenantId);
  if (passwords === 'allowed' || !listed.includes(userId)) return;
  const others = listed.filter((id) => id !== userId);
  if (await hasAdministrator(tx, tenantId, others)) return;
  throw new ConsoleError(
    409,
    'This is the last break-glass account. Choose another one in the sign-in policy first.',
  );
}

const hourMs = 3_600_000;

export async function readSessionLifetimeMs(tx: TenantTransaction, tenantId: number): Promise<number> {
  return (await selectPolicy(tx, tenantId)).session_hours * hourMs;
}
