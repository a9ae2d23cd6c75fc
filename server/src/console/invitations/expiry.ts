import type { InvitationStatus } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { invitations } from '#db/schema/users.ts';

export const lifetimeMs = 7 * 24 * 3_600_000;

/**
 * SQL expression for an invitation's status: pending, accepted, cancelled or expired. Depends on the time and on
 * whether the inviter may still assign the role (see `invitation_status` in the migrations).
 */
export const invitationStatus = sql<InvitationStatus>`invitation_status(${invitations})`;
