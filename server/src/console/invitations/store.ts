import type { InvitationStatus, RoleName, StartAccess } from '@sluice/contract';
import { and, count, DrizzleQueryError, desc, eq, isNull, lt, ne, sql } from 'drizzle-orm';
import pg from 'pg';
import { tenants } from '#db/schema/tenants.ts';
import { invitations, roles } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { invitationStatus as status } from './expiry.ts';

const invitationColumns = {
  id: invitations.id,
  email: invitations.email,
  role: roles.name,
  status,
  invitedByName: invitations.invitedByName,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
  acceptedAt: invitations.acceptedAt,
  mailId: invitations.mailId,
};

interface InvitationPage {
  readonly status?: InvitationStatus | undefined;
  /** Only returns invitations with a lower id. */
  readonly before?: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

const isOlder = (tenantId: number, before: number | undefined) =>
  and(eq(invitations.tenantId, tenantId), before === undefined ? undefined : lt(invitations.id, before));

export function selectInvitations(tx: TenantTransaction, tenantId: number, wanted: InvitationPage) {
  return tx
    .select(invitationColumns)
    .from(invitations)
    .innerJoin(roles, eq(roles.id, invitations.roleId))
    .where(and(isOlder(tenantId, wanted.before), wanted.status && eq(status, wanted.status)))
    .orderBy(desc(invitations.id))
    .offset(wanted.skip)
    .limit(wanted.limit);
}

export type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];

export async function countPending(tx: TenantTransaction, tenantId: number, role: RoleName): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(invitations)
    .innerJoin(roles, eq(roles.id, invitations.roleId))
    .where(and(eq(invitations.tenantId, tenantId), eq(roles.name, role), eq(status, 'pending')));
  return row?.total ?? 0;
}

/** Statuses without invitations are absent. */
export function countByStatus(tx: TenantTransaction, tenantId: number, before?: number) {
  return tx
    .select({ status, total: count() })
    .from(invitations)
    .where(isOlder(tenantId, before))
    .groupBy(status);
}

export async function findInvitation(tx: TenantTransaction, tenantId: number, invitationId: number) {
  const [row] = await tx
    .select(invitationColumns)
    .from(invitations)
    .innerJoin(roles, eq(roles.id, invitations.roleId))
    .where(isInvitation(tenantId, invitationId))
    .for('no key update', { of: invitations });
  return row;
}

const isInvitation = (tenantId: number, invitationId: number) =>
  and(eq(invitations.tenantId, tenantId), eq(invitations.id, invitationId));

export async function findTenantName(tx: TenantTransaction, tenantId: number): Promise<string> {
  const [row] = await tx.select({ name: tenants.name }).from(tenants).where(eq(tenants.id, tenantId));
  return row?.name ?? '';
}

export async function isAddressTaken(tx: TenantTransaction, email: string): Promise<boolean> {
  const { rows } = await tx.execute<{ isTaken: boolean }>(
    sql`SELECT is_address_taken(${email}) AS "isTaken"`,
  );
  return rows[0]?.isTaken ?? false;
}

/** Invitation columns that change with each new link. */
export interface Issue {
  tokenHash: Buffer;
  invitedBy: number;
  invitedByName: string;
  mailId: number;
  expiresAt: Date;
}

/**
 * Inserts an invitation after cancelling an expired one for the same email.
 * @throws ConsoleError 409 if an invitation for this email is pending
 */
export async function insertInvitation(
  tx: TenantTransaction,
  { role, ...columns }: Issue & { tenantId: number; email: string; role: RoleName; access: StartAccess },
): Promise<number> {
  await tx
    .update(invitations)
    .set({ cancelledAt: sql`now()` })
    .where(
      and(
        eq(invitations.tenantId, columns.tenantId),
        sql`lower(${invitations.email}) = lower(${columns.email})`,
        isNull(invitations.acceptedAt),
        isNull(invitations.cancelledAt),
        ne(status, 'pending'),
      ),
    );
  const roleId = sql<number>`(SELECT id FROM ${roles} WHERE name = ${role})`;
  const [row] = await explained(
    tx
      .insert(invitations)
      .values({ ...columns, roleId })
      .returning({ id: invitations.id }),
  );
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

export async function changeInvitation(
  tx: TenantTransaction,
  tenantId: number,
  invitationId: number,
  columns: Issue | { cancelledAt: Date },
): Promise<void> {
  await tx.update(invitations).set(columns).where(isInvitation(tenantId, invitationId));
}

const publicColumns = {
  id: invitations.id,
  tenantId: invitations.tenantId,
  email: invitations.email,
  roleId: invitations.roleId,
  role: roles.name,
  inviterName: invitations.invitedByName,
  companyName: tenants.name,
  mailId: invitations.mailId,
  invitedBy: invitations.invitedBy,
  access: invitations.access,
};

/** Searches all tenants that may add users. */
export async function findPending(database: SystemDatabase, tokenHash: Buffer) {
  const [row] = await selectPending(database, tokenHash);
  return row;
}

/** Finds and locks the invitation for a token, so that concurrent calls are serialized. */
export async function lockPending(tx: SystemDatabase, tokenHash: Buffer) {
  const [row] = await selectPending(tx, tokenHash).for('no key update', { of: invitations });
  return row;
}

export type PendingInvitation = NonNullable<Awaited<ReturnType<typeof findPending>>>;

function selectPending(database: SystemDatabase, tokenHash: Buffer) {
  return database
    .select(publicColumns)
    .from(invitations)
    .innerJoin(roles, eq(roles.id, invitations.roleId))
    .innerJoin(tenants, eq(tenants.id, invitations.tenantId))
    .where(and(eq(invitations.tokenHash, tokenHash), eq(status, 'pending'), ne(tenants.status, 'suspended')));
}

export async function markAccepted(
  tx: SystemDatabase,
  { tenantId, id }: PendingInvitation,
  acceptedBy: number,
): Promise<void> {
  await tx.update(invitations).set({ acceptedAt: sql`now()`, acceptedBy }).where(isInvitation(tenantId, id));
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    if (cause instanceof pg.DatabaseError && cause.constraint === 'invitations_one_open') {
      throw new ConsoleError(409, 'This user already has a pending invitation. Resend it instead.');
    }
    throw error;
  }
}
