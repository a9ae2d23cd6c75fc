import { and, eq, gt, sql } from 'drizzle-orm';
import { mails } from '#db/schema/mails.ts';
import { passwordResets, roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Returns a user who may receive a reset link and locks the row until the transaction ends. */
export async function lockPersonByEmail(tx: SystemDatabase, email: string) {
  const [person] = await tx
    .select({
      id: users.id,
      tenantId: users.tenantId,
      name: users.name,
      email: users.email,
      role: roles.name,
      tokenVersion: users.tokenVersion,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(sql`lower(${users.email}) = lower(${email})`, eq(users.kind, 'person'), users.isActive))
    .for('no key update', { of: users });
  return person;
}

export async function findResetOf(tx: SystemDatabase, userId: number) {
  const [reset] = await tx
    .select({ mailId: passwordResets.mailId, createdAt: passwordResets.createdAt })
    .from(passwordResets)
    .where(eq(passwordResets.userId, userId));
  return reset;
}

/** Replaces the user's previous reset link. */
export async function storeReset(
  tx: SystemDatabase,
  reset: Omit<typeof passwordResets.$inferInsert, 'id'>,
): Promise<void> {
  await tx
    .insert(passwordResets)
    .values(reset)
    .onConflictDoUpdate({ target: passwordResets.userId, set: reset });
}

const found = {
  id: passwordResets.id,
  tenantId: passwordResets.tenantId,
  userId: passwordResets.userId,
  mailId: passwordResets.mailId,
  email: users.email,
  expiresAt: passwordResets.expiresAt,
};

/**
 * Finds a valid reset link. A link is invalid if it has expired, if the user has made a change that ends sessions, or
 * if the user's email is no longer the one to which the link was sent.
 */
export async function findReset(database: SystemDatabase, tokenHash: Buffer, now: Date) {
  const [reset] = await selectReset(database, tokenHash, now);
  return reset;
}

/** Finds a valid reset link and locks it until the transaction ends. */
export async function lockReset(tx: SystemDatabase, tokenHash: Buffer, now: Date) {
  const [reset] = await selectReset(tx, tokenHash, now).for('update', { of: passwordResets });
  return reset;
}

function selectReset(database: SystemDatabase, tokenHash: Buffer, now: Date) {
  return database
    .select(found)
    .from(passwordResets)
    .innerJoin(
      users,
      and(eq(users.id, passwordResets.userId), eq(users.tokenVersion, passwordResets.tokenVersion)),
    )
    .innerJoin(
      mails,
      and(eq(mails.id, passwordResets.mailId), sql`lower(${mails.toAddress}) = lower(${users.email})`),
    )
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now), users.isActive));
}

export async function deleteReset(tx: SystemDatabase, id: number): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.id, id));
}
