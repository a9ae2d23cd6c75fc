import type { Invitation, InvitationStats, InvitationStatus, invitationsRoutes } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { countByStatus, type InvitationRow, selectInvitations } from './store.ts';

export async function listInvitations(
  tx: TenantTransaction,
  author: Principal,
  { status_filter: status, ...page }: RouteInput<typeof invitationsRoutes.listInvitations>['query'],
): Promise<Page<Invitation[]>> {
  const { tenantId } = author;
  const stats = await countInvitations(tx, tenantId, page.before);
  const totalCount = formatTotalCount(stats[status ?? 'total']);
  const rows = await selectInvitations(tx, tenantId, { ...page, status });
  return new Page(rows.map(toInvitation), totalCount);
}

export function getInvitationStats(tx: TenantTransaction, author: Principal): Promise<InvitationStats> {
  return countInvitations(tx, author.tenantId);
}

async function countInvitations(
  tx: TenantTransaction,
  tenantId: number,
  before?: number,
): Promise<InvitationStats> {
  const counted = new Map((await countByStatus(tx, tenantId, before)).map((row) => [row.status, row.total]));
  const count = (status: InvitationStatus) => counted.get(status) ?? 0;
  return {
    total: [...counted.values()].reduce((sum, one) => sum + one, 0),
    pending: count('pending'),
    accepted: count('accepted'),
    expired: count('expired'),
    cancelled: count('cancelled'),
  };
}

/** Omits the link, which is only sent by email. */
export function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    invited_by_name: row.invitedByName,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
  };
}
