import type { Preferences } from '@sluice/contract';
import { and, eq } from 'drizzle-orm';
import { userPreferences, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';

/** @throws ConsoleError 404 if the caller is an operator acting for another tenant */
export async function updatePreferences(
  tx: TenantTransaction,
  author: Principal,
  chosen: Preferences,
): Promise<Preferences> {
  if (!(await savePreferences(tx, author, chosen))) throw notFound('User');
  return chosen;
}

/** Returns a user's display preferences, or `null` if none are saved. */
export function readPreferences(tx: TenantTransaction, principal: Principal): Promise<Preferences | null> {
  return findPreferences(tx, principal);
}

type Person = Pick<Principal, 'tenantId' | 'userId'>;

async function findPreferences(
  tx: TenantTransaction,
  { tenantId, userId }: Person,
): Promise<Preferences | null> {
  const [row] = await tx
    .select({
      theme: userPreferences.theme,
      density: userPreferences.density,
      time_zone: userPreferences.timeZone,
    })
    .from(userPreferences)
    .where(and(eq(userPreferences.tenantId, tenantId), eq(userPreferences.userId, userId)));
  return row ?? null;
}

/** Returns `false` if the user does not belong to the tenant, for example an operator acting for it. */
async function savePreferences(
  tx: TenantTransaction,
  { tenantId, userId }: Person,
  { theme, density, time_zone: timeZone }: Preferences,
): Promise<boolean> {
  const people = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  if (people.length === 0) return false;
  const chosen = { theme, density, timeZone };
  await tx
    .insert(userPreferences)
    .values({ tenantId, userId, ...chosen })
    .onConflictDoUpdate({ target: userPreferences.userId, set: chosen });
  return true;
}
