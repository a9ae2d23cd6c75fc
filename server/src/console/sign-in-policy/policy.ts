import { isDeepStrictEqual } from 'node:util';
import type { SignInPolicy, updateSignInPolicyBody } from '@sluice/contract';
import type { z } from 'zod';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import { savePolicy, selectAdministrators, selectPolicy } from './store.ts';

/** Returns how users of a tenant sign in. */
export const readSignInPolicy = selectPolicy;

export function getSignInPolicy(tx: TenantTransaction, { tenantId }: Principal): Promise<SignInPolicy> {
  return selectPolicy(tx, tenantId);
}

/**
 * Changes only the given fields. Without local passwords, one break-glass account must remain that can administer the
 * tenant while the identity provider is unavailable.
 */
export async function updateSignInPolicy(
  tx: TenantTransaction,
  { tenantId }: Principal,
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
  if (!isDeepStrictEqual(policy, known)) await savePolicy(tx, tenantId, policy);
  return policy;
}

function withoutMissing<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}

/** @throws ConsoleError 403 if the tenant's policy does not let this user sign in with a password. */
export async function requirePasswordSignIn(
  tx: TenantTransaction,
  { tenantId, id }: { readonly tenantId: number; readonly id: number },
): Promise<void> {
  const policy = await selectPolicy(tx, tenantId);
  if (policy.local_passwords === 'allowed' || policy.break_glass_users.includes(id)) return;
  throw new ConsoleError(
    403,
    'Your organization does not allow passwords. Sign in with its identity provider, or use a break-glass account.',
  );
}

const hourMs = 3_600_000;

/** Returns how long a new session of the tenant lasts, in milliseconds. */
export async function readSessionLifetimeMs(tx: TenantTransaction, tenantId: number): Promise<number> {
  return (await selectPolicy(tx, tenantId)).session_hours * hourMs;
}
