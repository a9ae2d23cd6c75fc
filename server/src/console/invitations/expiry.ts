import type { InvitationStatus } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { invitations } from '#db/schema/users.ts';

/** Lifetime of an invitation link in milliseconds. */
export const lifetimeMs = 7 * 24 * 3_600_000;

/**
 * Status of an invitation in SQL: pending, accepted, cancelled or expired. Depends on the time and on whether the
 * inviter may still assign the role (`invitation_status` in the migrations).
 */
export const invitationStatus = sql<InvitationStatus>`invitation_status(${invitations})`;
