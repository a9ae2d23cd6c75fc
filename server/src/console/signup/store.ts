import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import { invitations, signups, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';

export async function findOwner(database: SystemDatabase, email: string) {
  const [owner] = await database
    .select({ name: users.name, isSuspended: sql<boolean>`${tenants.status} = 'suspended'` })
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .where(sql`lower(${users.email}) = lower(${email})`);
  return owner;
}

export async function isInvited(database: SystemDatabase, email: string): Promise<boolean> {
  const [invitation] = await database
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(
        sql`lower(${invitations.email}) = lower(${email})`,
        sql`invitation_status(${invitations}) = 'pending'`,
      ),
    )
    .limit(1);
  return invitation !== undefined;
}

export async function insertSignup(tx: SystemDatabase, signup: typeof signups.$inferInsert): Promise<void> {
  await tx.insert(signups).values(signup);
}

export async function findSignup(database: SystemDatabase, tokenHash: Buffer, now: Date) {
  const [signup] = await database
    .select()
    .from(signups)
    .where(and(eq(signups.tokenHash, tokenHash), gt(signups.expiresAt, now)));
  return signup;
}

export type SignupRow = NonNullable<Awaited<ReturnType<typeof findSignup>>>;

/** Returns the newest pending signup of an email and locks it. */
export async function lockNewestSignup(tx: SystemDatabase, email: string, now: Date) {
  const [signup] = await tx
    .select()
    .from(signups)
    .where(and(sql`lower(${signups.email}) = lower(${email})`, gt(signups.expiresAt, now)))
    .orderBy(desc(signups.id))
    .limit(1)
    .for('update');
  return signup;
}

export async function changeLink(
  tx: SystemDatabase,
  id: number,
  link: Pick<SignupRow, 'tokenHash' | 'mailId' | 'expiresAt'>,
): Promise<void> {
  await tx.update(signups).set(link).where(eq(signups.id, id));
}

/** Returns `false` if another transaction has already deleted it. */
export async function takeSignup(tx: SystemDatabase, id: number): Promise<boolean> {
  const rows = await tx.delete(signups).where(eq(signups.id, id)).returning({ id: signups.id });
  return rows.length > 0;
}
