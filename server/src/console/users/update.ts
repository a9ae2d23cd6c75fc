import type { RoleName, User, updateUserBody } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { requireAssignableRole, requireOwnDomain, takeSeat } from './create.ts';
import { requireOtherAdministrator } from './last-administrator.ts';
import { readUser } from './read.ts';
import { changeUser, forgetMappedRole } from './store.ts';
import { lockTarget } from './target.ts';

interface Update {
  readonly userId: number;
  readonly body: z.output<typeof updateUserBody>;
  /** Whether to end sessions and pending reset links even if no change requires this. */
  readonly endsSessions?: boolean;
}

/** Changes the specified fields, so that concurrent edits of different fields do not overwrite each other. */
export async function updateUser(tx: TenantTransaction, author: Author, update: Update): Promise<User> {
  await applyUpdate(tx, author, update);
  return readUser(tx, author.tenantId, update.userId);
}

/** Changes a user like `updateUser`, but also accepts an author who is not a user, such as SCIM. */
export async function applyUpdate(
  tx: TenantTransaction,
  author: Author,
  { userId, body, endsSessions = false }: Update,
): Promise<void> {
  const { tenantId } = author;
  const target = await lockTarget(tx, author, userId);
  const role =
    body.role_id === undefined ? target.role : await requireAssignableRole(tx, author, body.role_id);
  const isActive = body.is_active ?? target.isActive;
  const changesRole = role !== target.role;
  const changesEmail = body.email !== undefined && body.email.toLowerCase() !== target.email.toLowerCase();
  if (target.kind === 'service' && (changesRole || changesEmail)) {
    throw new ConsoleError(
      409,
      'Change the role of a service account under Service accounts. Its email address cannot be changed.',
    );
  }
  const isSelf = userId === author.userId;
  if (isSelf && changesRole) throw new ConsoleError(403, 'You cannot change your own role');
  if (isSelf && !isActive) throw new ConsoleError(403, 'You cannot deactivate yourself');
  if (target.kind === 'person' && isActive && (changesRole || !target.isActive)) {
    await takeSeat(tx, tenantId, role, changesRole ? 'role_id' : 'is_active');
  }
  if (isAdministrator(target) && !isAdministrator({ role, isActive })) {
    await requireOtherAdministrator(tx, author, userId);
  }
  if (body.email !== undefined && body.email !== target.email)
    await requireOwnDomain(tx, tenantId, body.email);
  if (changesRole) await forgetMappedRole(tx, tenantId, userId);
  if (Object.keys(body).length > 0) {
    await changeUser(tx, userId, {
      email: body.email,
      name: body.name,
      roleId: body.role_id,
      dailyQuota: body.daily_quota,
      monthlyQuota: body.monthly_quota,
      requestsPerHour: body.requests_per_hour,
      isActive: body.is_active,
      endsSessions: endsSessions || changesRole || (target.isActive && !isActive),
    });
  }
}

/** The caller must have checked that the user may have the role. */
export function changeRole(tx: TenantTransaction, userId: number, roleId: number): Promise<void> {
  return changeUser(tx, userId, { roleId, endsSessions: true });
}

export function changeServiceUser(
  tx: TenantTransaction,
  userId: number,
  columns: Parameters<typeof changeUser>[2],
): Promise<void> {
  return changeUser(tx, userId, columns);
}

const isAdministrator = ({ role, isActive }: { role: RoleName; isActive: boolean }) =>
  isActive && role !== 'user';
