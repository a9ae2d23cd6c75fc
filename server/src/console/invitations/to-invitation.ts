import type { Invitation } from '@sluice/contract';
import type { InvitationRow } from './store.ts';

/** Maps an invitation without its link, which only the mail contains. */
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
