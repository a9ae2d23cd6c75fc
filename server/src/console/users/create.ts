import type { createUserBody, RoleName, User } from '@sluice/contract';
import type { z } from 'zod';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { domainOf } from '#domain/mail-domain.ts';
import type { Author } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { isSeatFree, type Quotas, type Seats } from '#domain/seats.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import { readUser } from './read.ts';
import { findRole, insertUser, isDomainOfAnother, selectDefaultQuotas, selectSeats } from './store.ts';

type NewUser = Omit<z.output<typeof createUserBody>, 'password'> & { readonly passwordHash: string };

/**
 * @throws ConsoleError 422 on `role_id` if the role is unknown or has no free seat, 422 on `email` if the email is
 * already used or another tenant owns its domain, 403 if the author may not assign the role
 */
export async function createUser(tx: TenantTransaction, author: Author, user: NewUser): Promise<User> {
  const { tenantId } = author;
  const userId = await addPerson(tx, {
    tenantId,
    roleId: user.role_id,
    role: await requireAssignableRole(tx, author, user.role_id),
    email: user.email,
    name: user.name,
    passwordHash: user.passwordHash,
    quotas: {
      dailyQuota: user.daily_quota,
      monthlyQuota: user.monthly_quota,
      requestsPerHour: user.requests_per_hour,
    },
  });
  return readUser(tx, tenantId, userId);
}

export interface NewPerson {
  tenantId: number;
  roleId: number;
  role: RoleName;
  email: string;
  name: string;
  passwordHash: string;
  /** Whether the email's domain may belong to another tenant. */
  canHaveForeignDomain?: boolean;
  /** Whether the user is active; `true` by default. Inactive users do not use a seat. */
  isActive?: boolean;
  externalId?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  provisionedBy?: 'scim';
  /** Service accounts do not use a seat. */
  kind?: 'service';
  ownerTeamId?: number | null;
  scoresDeviation?: boolean;
  /** Quotas of the user. An absent quota uses the tenant's default; `null` means unlimited. */
  quotas?: { readonly [Quota in keyof Quotas]?: Quotas[Quota] | undefined };
}

/**
 * Adds a user or service account and returns the id. Takes no author, because accepting an invitation
 * also adds a user.
 * @throws ConsoleError 422 on `role_id` if there is no free seat, 422 on `email` if the email is already used or
 * another tenant owns its domain
 */
export async function addPerson(
  tx: TenantTransaction,
  { role, quotas = {}, canHaveForeignDomain = false, ...columns }: NewPerson,
): Promise<number> {
  const isPerson = columns.kind !== 'service';
  if (isPerson && !canHaveForeignDomain) await requireOwnDomain(tx, columns.tenantId, columns.email);
  if (isPerson && columns.isActive !== false) await takeSeat(tx, columns.tenantId, role, 'role_id');
  const given = Object.entries(quotas).filter(([, quota]) => quota !== undefined);
  const defaults = await selectDefaultQuotas(tx, columns.tenantId);
  return insertUser(tx, { ...columns, ...defaults, ...Object.fromEntries(given) });
}

/**
 * Prevents a tenant from using emails in another tenant's domain.
 * @throws ConsoleError 422 on `email` if its domain is confirmed for another tenant
 */
export async function requireOwnDomain(
  tx: TenantTransaction,
  tenantId: number,
  email: string,
): Promise<void> {
  const domain = domainOf(email).toLowerCase();
  if (!(await isDomainOfAnother(tx, tenantId, domain))) return;
  throw invalidField(
    'email',
    `Another organization owns the domain ${domain}. Only its administrators can add users with this domain.`,
  );
}

/**
 * Reserves a seat of the tenant's plan for an active user and locks seats until the transaction ends.
 * @throws ConsoleError 422 on `field` if there is no free seat
 */
export async function takeSeat(
  tx: TenantTransaction,
  tenantId: number,
  role: RoleName,
  field: string,
): Promise<void> {
  await lockTenantPlan(tx, tenantId);
  await requireFreeSeat(tx, tenantId, role, field);
}

/** @throws ConsoleError 422 on `field` if there is no free seat */
export async function requireFreeSeat(
  tx: TenantTransaction,
  tenantId: number,
  role: RoleName,
  field: string,
): Promise<void> {
  if (isSeatFree(await selectSeats(tx, tenantId), role)) return;
  const [limit, people] = role === 'admin' ? ['Admin', 'admins'] : ['User', 'users'];
  throw invalidField(field, `${limit} limit reached. Upgrade your plan to create more ${people}.`);
}

/** Counts used and available seats per role, and locks seats until the transaction ends. */
export async function countSeatsAlone(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  await lockTenantPlan(tx, tenantId);
  return selectSeats(tx, tenantId);
}

export function countSeats(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  return selectSeats(tx, tenantId);
}

/** @throws ConsoleError 422 if the role is unknown, 403 if the caller may not assign it */
export async function requireAssignableRole(
  tx: TenantTransaction,
  author: Author,
  roleId: number,
): Promise<RoleName> {
  const role = await findRole(tx, roleId);
  if (!role) throw invalidField('role_id', 'Role selection is required');
  requireMayAssign(author, role);
  return role;
}

/** @throws ConsoleError 403 if the author may not assign the role */
export function requireMayAssign(author: Author, role: RoleName): void {
  if (mayManage(author.role, role)) return;
  throw new ConsoleError(403, `Only a super administrator may assign the role ${role}`);
}
