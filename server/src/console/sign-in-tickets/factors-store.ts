import { and, asc, eq, exists, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { isLiveSession } from '#db/live-session.ts';
import { passkeys, recoveryCodes, totpAuthenticators } from '#db/schema/second-factors.ts';
import { sessions, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface FactorOwner {
  readonly tenantId: number;
  readonly userId: number;
}

type Transaction = TenantTransaction | SystemDatabase;
type OwnedTable = typeof totpAuthenticators | typeof passkeys | typeof recoveryCodes;

const ofOwner = (table: OwnedTable, { tenantId, userId }: FactorOwner) =>
  and(eq(table.tenantId, tenantId), eq(table.userId, userId));

/** The app may be unconfirmed. */
export async function findTotp(tx: Transaction, owner: FactorOwner) {
  const [row] = await tx.select().from(totpAuthenticators).where(ofOwner(totpAuthenticators, owner));
  return row;
}

/** Replaces an unconfirmed app. */
export async function insertTotp(
  tx: Transaction,
  owner: FactorOwner,
  { id, sealedSecret }: { readonly id: number; readonly sealedSecret: Buffer },
): Promise<void> {
  await tx
    .delete(totpAuthenticators)
    .where(and(ofOwner(totpAuthenticators, owner), isNull(totpAuthenticators.confirmedAt)));
  const { tenantId, userId } = owner;
  await tx.insert(totpAuthenticators).overridingSystemValue().values({ id, tenantId, userId, sealedSecret });
}

export async function confirmTotpRow(tx: Transaction, id: number, lastStep: number): Promise<void> {
  await tx
    .update(totpAuthenticators)
    .set({ confirmedAt: sql`now()`, lastUsedAt: sql`now()`, lastStep })
    .where(eq(totpAuthenticators.id, id));
}

/**
 * Marks a time step as used. Returns `false` if the app is unconfirmed, or if the code of this or a later step was
 * used.
 */
export async function useTotpStep(tx: Transaction, id: number, lastStep: number): Promise<boolean> {
  const used = await tx
    .update(totpAuthenticators)
    .set({ lastStep, lastUsedAt: sql`now()` })
    .where(
      and(
        eq(totpAuthenticators.id, id),
        isNotNull(totpAuthenticators.confirmedAt),
        or(isNull(totpAuthenticators.lastStep), lt(totpAuthenticators.lastStep, lastStep)),
      ),
    )
    .returning({ id: totpAuthenticators.id });
  return used.length > 0;
}

/** Returns `false` if the user has no authenticator app. */
export async function deleteTotp(tx: Transaction, owner: FactorOwner): Promise<boolean> {
  const deleted = await tx
    .delete(totpAuthenticators)
    .where(ofOwner(totpAuthenticators, owner))
    .returning({ id: totpAuthenticators.id });
  return deleted.length > 0;
}

export function selectPasskeys(tx: Transaction, owner: FactorOwner) {
  return tx.select().from(passkeys).where(ofOwner(passkeys, owner)).orderBy(asc(passkeys.id));
}

export type Passkey = typeof passkeys.$inferSelect;

/** Locks a user's row before the factors, in the same order as changes of factors, to prevent deadlocks. */
export async function lockFactorOwner(tx: Transaction, { tenantId, userId }: FactorOwner): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)))
    .for('no key update');
}

/** Returns the user's passkey with this credential id and locks it until the transaction ends. */
export async function lockPasskey(
  tx: Transaction,
  owner: FactorOwner,
  credentialId: string,
): Promise<Passkey | undefined> {
  const [row] = await tx
    .select()
    .from(passkeys)
    .where(and(ofOwner(passkeys, owner), eq(passkeys.credentialId, credentialId)))
    .for('update');
  return row;
}

export const isKnownAddress = (database: SystemDatabase, address: string) =>
  sql<boolean>`${exists(
    database
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, users.id), eq(sessions.address, address))),
  )}`;

/**
 * Finds the owner of a passkey in any tenant. Also returns whether the owner has signed in from this IP address
 * before.
 */
export async function findPasskeyOwner(database: SystemDatabase, credentialId: string, address: string) {
  const [row] = await database
    .select({
      userId: users.id,
      tenantId: users.tenantId,
      isActive: users.isActive,
      tokenVersion: users.tokenVersion,
      isAddressKnown: isKnownAddress(database, address),
    })
    .from(passkeys)
    .innerJoin(users, and(eq(users.tenantId, passkeys.tenantId), eq(users.id, passkeys.userId)))
    .where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Returns `false` if the credential already belongs to an account. */
export async function insertPasskey(
  tx: Transaction,
  passkey: typeof passkeys.$inferInsert,
): Promise<boolean> {
  const inserted = await tx
    .insert(passkeys)
    .values(passkey)
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ id: passkeys.id });
  return inserted.length > 0;
}

export async function notePasskeyUse(tx: Transaction, id: number, signCount: number): Promise<void> {
  await tx.update(passkeys).set({ signCount, lastUsedAt: sql`now()` }).where(eq(passkeys.id, id));
}

/** Returns `false` if the user has no such passkey. */
export async function deletePasskey(tx: Transaction, owner: FactorOwner, id: number): Promise<boolean> {
  const deleted = await tx
    .delete(passkeys)
    .where(and(ofOwner(passkeys, owner), eq(passkeys.id, id)))
    .returning({ id: passkeys.id });
  return deleted.length > 0;
}

/** Returns the number of unused recovery codes; `null` if the user has no set of codes. */
export async function countRecoveryCodes(tx: Transaction, owner: FactorOwner): Promise<number | null> {
  const [row] = await tx
    .select({ left: sql<number>`cardinality(${recoveryCodes.codeHashList})` })
    .from(recoveryCodes)
    .where(ofOwner(recoveryCodes, owner));
  return row?.left ?? null;
}

export async function storeRecoveryCodes(
  tx: Transaction,
  { tenantId, userId }: FactorOwner,
  codeHashList: Buffer[],
): Promise<void> {
  await tx
    .insert(recoveryCodes)
    .values({ tenantId, userId, codeHashList })
    .onConflictDoUpdate({ target: recoveryCodes.userId, set: { codeHashList, createdAt: sql`now()` } });
}

/** Returns `false` if the user has no such unused code. */
export async function useRecoveryCode(
  tx: Transaction,
  owner: FactorOwner,
  codeHash: Buffer,
): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ codeHashList: sql`array_remove(${recoveryCodes.codeHashList}, ${codeHash})` })
    .where(and(ofOwner(recoveryCodes, owner), sql`${codeHash} = ANY (${recoveryCodes.codeHashList})`))
    .returning({ id: recoveryCodes.id });
  return used.length > 0;
}

export async function deleteRecoveryCodes(tx: Transaction, owner: FactorOwner): Promise<void> {
  await tx.delete(recoveryCodes).where(ofOwner(recoveryCodes, owner));
}

export async function deleteFactors(tx: Transaction, owner: FactorOwner): Promise<void> {
  for (const table of [totpAuthenticators, passkeys, recoveryCodes])
    await tx.delete(table).where(ofOwner(table, owner));
}

/** Updates whether the user has a factor and ends all of the user's sessions. Returns the new token version. */
export async function storeFactorState(
  tx: Transaction,
  { tenantId, userId }: FactorOwner,
  hasSecondFactor: boolean,
): Promise<number> {
  const [row] = await tx
    .update(users)
    .set({ hasSecondFactor, tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)))
    .returning({ tokenVersion: users.tokenVersion });
  if (!row) throw new Error('the user of the factor does not exist');
  return row.tokenVersion;
}

const ofSession = ({ tenantId, userId }: FactorOwner, id: string) =>
  and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId), eq(sessions.id, id));

/**
 * Returns whether a session had a sign-in or a password confirmation within the last minutes, or `undefined` if the
 * session has ended. The user must be locked.
 */
export async function isProvedRecently(
  tx: Transaction,
  owner: FactorOwner,
  sessionId: string,
  minutes: number,
): Promise<boolean | undefined> {
  const isRecent = sql<boolean>`coalesce(${sessions.provedAt} > now() - make_interval(mins => ${minutes}), false)`;
  const [row] = await tx
    .select({ isRecent })
    .from(sessions)
    .where(and(ofSession(owner, sessionId), isLiveSession));
  return row?.isRecent;
}

export async function noteProof(tx: Transaction, owner: FactorOwner, sessionId: string): Promise<void> {
  await tx.update(sessions).set({ provedAt: sql`now()` }).where(ofSession(owner, sessionId));
}

export async function storeChallenge(
  tx: Transaction,
  owner: FactorOwner,
  sessionId: string,
  passkeyChallenge: string,
): Promise<void> {
  await tx.update(sessions).set({ passkeyChallenge }).where(ofSession(owner, sessionId));
}

/** Deletes and returns the session's passkey challenge; `null` if there is no challenge. */
export async function takeChallenge(
  tx: Transaction,
  owner: FactorOwner,
  sessionId: string,
): Promise<string | null> {
  const [row] = await tx
    .select({ challenge: sessions.passkeyChallenge })
    .from(sessions)
    .where(ofSession(owner, sessionId))
    .for('update');
  await tx.update(sessions).set({ passkeyChallenge: null }).where(ofSession(owner, sessionId));
  return row?.challenge ?? null;
}
