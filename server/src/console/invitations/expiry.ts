import type { InvitationStatus } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { invitations } from '#db/schema/invitations.ts';

/** How long the link of an invitation works, in milliseconds. */
export const lifetimeMs = 7 * 24 * 3_600_000;

/**
 * Whether an invitation is pending, accepted, cancelled or expired: the database judges by time, and by whether whoever
 * invited may still give the role (`invitation_status` in the migrations).
 */
export const invitationStatus = sql<InvitationStatus>`invitation_status(${invitations})`;
