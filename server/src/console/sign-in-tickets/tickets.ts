import { randomBytes } from 'node:crypto';
import type { RoleName, SecondFactorChallenge } from '@sluice/contract';
import { and, eq, gt, lt, notInArray, or, sql } from 'drizzle-orm';
import { signInTickets } from '#db/schema/second-factors.ts';
import { roles, sessions, users } from '#db/schema/users.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { CodedError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { makeLinkToken } from '#platform/tokens.ts';
import { countRecoveryCodes, type FactorOwner, findTotp, selectPasskeys } from './factors-store.ts';

const lifetimeMs = 5 * 60_000;
/** Number of wrong codes after which the password must be entered again. */
export const ticketTriesMax = 5;
/** Maximum number of open tickets per user. The oldest tickets are deleted. */
const openMax = 10;

export interface TicketDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly clock: Clock;
}

interface PasswordChecked {
  readonly id: number;
  readonly tenantId: number;
  readonly tokenVersion: number;
}

/** Returns an error with a new ticket. The error asks a user with a correct password for the second factor. */
export async function issueTicket(
  { database, keyring, clock }: TicketDeps,
  ctx: RequestContext,
  { id: userId, tenantId, tokenVersion }: PasswordChecked,
): Promise<CodedError> {
  const nowMs = clock();
  const token = makeLinkToken();
  const challenge = randomBytes(32).toString('base64url');
  const expiresAt = new Date(nowMs + lifetimeMs);
  const fields = await changeAs(database, ctx.actor, async (tx) => {
    await deleteOldTickets(tx, userId, new Date(nowMs));
    const tokenHash = hashTicket(keyring, token, ctx);
    await tx
      .insert(signInTickets)
      .values({ tenantId, userId, tokenHash, tokenVersion, challenge, expiresAt });
    return listMethods(tx, { tenantId, userId }, challenge);
  });
  const answer: SecondFactorChallenge = {
    code: 'second_factor_required',
    ticket: token,
    expires_at: expiresAt.toISOString(),
    ...fields,
  };
  return new CodedError(
    401,
    'This account has a second factor. Send the second factor to complete the sign-in.',
    answer,
  );
}

async function deleteOldTickets(tx: SystemDatabase, userId: number, now: Date): Promise<void> {
  const newest = tx
    .select({ id: signInTickets.id })
    .from(signInTickets)
    .where(eq(signInTickets.userId, userId))
    .orderBy(sql`${signInTickets.id} DESC`)
    .limit(openMax - 1);
  await tx
    .delete(signInTickets)
    .where(
      and(
        eq(signInTickets.userId, userId),
        or(lt(signInTickets.expiresAt, now), notInArray(signInTickets.id, newest)),
      ),
    );
}

async function listMethods(
  tx: SystemDatabase,
  owner: FactorOwner,
  challenge: string,
): Promise<Pick<SecondFactorChallenge, 'methods' | 'passkey_options'>> {
  const totp = await findTotp(tx, owner);
  const passkeys = await selectPasskeys(tx, owner);
  const codesLeft = await countRecoveryCodes(tx, owner);
  // The browser adds the domain of its page to the options. The server compares this domain with the public URL.
  const options = {
    challenge,
    timeout: lifetimeMs,
    userVerification: 'preferred',
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
  };
  return {
    methods: [
      ...(totp?.confirmedAt ? (['totp'] as const) : []),
      ...(passkeys.length > 0 ? (['passkey'] as const) : []),
      ...(codesLeft ? (['recovery_code'] as const) : []),
    ],
    passkey_options: passkeys.length > 0 ? options : null,
  };
}

/** The ticket is only valid for the client that entered the password. */
export function hashTicket(
  keyring: Pick<Keyring, 'hashLinkToken'>,
  token: string,
  { userAgent }: Pick<RequestContext, 'userAgent'>,
): Buffer {
  return keyring.hashLinkToken(`sign-in ${token} ${userAgent}`);
}

/**
 * Returns the user of a valid ticket and whether the user has signed in from this IP address before. Acquires no
 * locks.
 */
export async function findTicketUser(
  database: SystemDatabase,
  tokenHash: Buffer,
  { now, address }: { now: Date; address: string },
) {
  const [ticket] = await selectTicket(database, tokenHash, now);
  if (!ticket) return undefined;
  const { userId } = ticket;
  const [known] = await database
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.address, address)))
    .limit(1);
  return { userId, isAddressKnown: known !== undefined };
}

/**
 * Returns a valid ticket and locks the ticket and then its user until the transaction ends. A ticket is valid if it
 * has not expired and has tries left, and if its user is active and has not made a change that ends sessions.
 */
export async function lockTicket(tx: SystemDatabase, tokenHash: Buffer, now: Date) {
  const [ticket] = await selectTicket(tx, tokenHash, now).for('no key update');
  return ticket;
}

export type Ticket = NonNullable<Awaited<ReturnType<typeof lockTicket>>>;

function selectTicket(database: SystemDatabase, tokenHash: Buffer, now: Date) {
  return database
    .select({
      id: signInTickets.id,
      tenantId: signInTickets.tenantId,
      userId: signInTickets.userId,
      tokenVersion: signInTickets.tokenVersion,
      challenge: signInTickets.challenge,
      name: users.name,
      email: users.email,
      // Use a subquery, because a join would also lock the role and make concurrent sign-ins wait for each other.
      role: sql<RoleName>`(SELECT ${roles.name} FROM ${roles} WHERE ${roles.id} = ${users.roleId})`,
    })
    .from(signInTickets)
    .innerJoin(
      users,
      and(eq(users.id, signInTickets.userId), eq(users.tokenVersion, signInTickets.tokenVersion)),
    )
    .where(
      and(
        eq(signInTickets.tokenHash, tokenHash),
        gt(signInTickets.expiresAt, now),
        lt(signInTickets.tries, ticketTriesMax),
        users.isActive,
        users.hasSecondFactor,
      ),
    );
}

export async function countTicketTry(tx: SystemDatabase, id: number): Promise<void> {
  await tx
    .update(signInTickets)
    .set({ tries: sql`${signInTickets.tries} + 1` })
    .where(eq(signInTickets.id, id));
}

export async function deleteTicket(tx: SystemDatabase, id: number): Promise<void> {
  await tx.delete(signInTickets).where(eq(signInTickets.id, id));
}
