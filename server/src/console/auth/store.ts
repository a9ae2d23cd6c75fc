import { and, eq, lt, notLike, sql } from 'drizzle-orm';
import { isKnownAddress } from '#console/sign-in-tickets/factors-store.ts';
import { tenants } from '#db/schema/tenants.ts';
import { loginAttempts, sessions, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Finds an account by email in any tenant. Also returns whether the user has signed in from this IP address before. */
export async function findAccount(database: SystemDatabase, email: string, address: string) {
  const [account] = await database
    .select({
      id: users.id,
      tenantId: users.tenantId,
      passwordHash: users.passwordHash,
      isActive: users.isActive,
      tokenVersion: users.tokenVersion,
      hasSecondFactor: users.hasSecondFactor,
      isAddressKnown: isKnownAddress(database, address),
    })
    .from(users)
    .where(and(sql`lower(${users.email}) = lower(${email})`, eq(users.kind, 'person')));
  return account;
}

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export interface NewSession {
  id: string;
  tenantId: number;
  userId: number;
  address: string;
  userAgent: string;
  tokenVersion: number;
  createdAt: Date;
  expiresAt: Date;
  userIdentityId?: number;
  providerSession?: string | null;
  sealedIdToken?: Buffer | null;
}

export async function insertSession(tx: SystemDatabase, session: NewSession): Promise<void> {
  await tx.insert(sessions).values(session);
  await tx.update(users).set({ lastLoginAt: session.createdAt }).where(eq(users.id, session.userId));
}

/** Replaces the password hash unless the password was changed concurrently. */
export async function replacePasswordHash(
  database: SystemDatabase,
  userId: number,
  hashes: { old: string; new: string },
): Promise<void> {
  await database
    .update(users)
    .set({ passwordHash: hashes.new })
    .where(and(eq(users.id, userId), eq(users.passwordHash, hashes.old)));
}

export async function findTenant(tx: TenantTransaction, tenantId: number) {
  const [tenant] = await tx
    .select({ id: tenants.id, name: tenants.name, slug: tenants.slug, time_zone: tenants.timeZone })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return tenant;
}

/** Adds an attempt to a subject's window and returns the number of attempts. */
export async function countAttempt(
  database: SystemDatabase,
  subject: string,
  windowStart: Date,
): Promise<number> {
  const [row] = await database
    .insert(loginAttempts)
    .values({ subject, windowStart, attempts: 1 })
    .onConflictDoUpdate({
      target: [loginAttempts.subject, loginAttempts.windowStart],
      set: { attempts: sql`${loginAttempts.attempts} + 1` },
    })
    .returning({ attempts: loginAttempts.attempts });
  return row?.attempts ?? 1;
}

export async function takeBackAttempt(
  database: SystemDatabase,
  subject: string,
  windowStart: Date,
): Promise<void> {
  await database
    .update(loginAttempts)
    .set({ attempts: sql`${loginAttempts.attempts} - 1` })
    .where(and(eq(loginAttempts.subject, subject), eq(loginAttempts.windowStart, windowStart)));
}

export async function deleteAttempts(database: SystemDatabase, subject: string): Promise<void> {
  await database.delete(loginAttempts).where(eq(loginAttempts.subject, subject));
}

/** Prefix of subjects whose attempts are counted by day. Only the nightly job deletes these attempts. */
export const dayPrefix = 'day:';

export async function deleteAttemptsBefore(database: SystemDatabase, instant: Date): Promise<void> {
  await database
    .delete(loginAttempts)
    .where(and(lt(loginAttempts.windowStart, instant), notLike(loginAttempts.subject, `${dayPrefix}%`)));
}
