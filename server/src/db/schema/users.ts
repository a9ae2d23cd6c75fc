import { densities, type Labels, roleNames, type StartAccess, themes } from '@sluice/contract';
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Pace, RecentTexts } from '#domain/deviation/fold.ts';
import { bytes } from './api-keys.ts';

/** A quota of `null` means unlimited, and 0 allows no requests. */
export const users = pgTable('users', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  roleId: integer('role_id').notNull(),
  email: text().notNull(),
  name: text().notNull(),
  passwordHash: text('password_hash').notNull(),
  dailyQuota: bigint('daily_quota', { mode: 'number' }),
  monthlyQuota: bigint('monthly_quota', { mode: 'number' }),
  requestsPerHour: bigint('requests_per_hour', { mode: 'number' }),
  isActive: boolean('is_active').notNull().default(true),
  isBlocked: boolean('is_blocked').notNull().default(false),
  blockedReason: text('blocked_reason'),
  blockedAt: timestamp('blocked_at', { withTimezone: true }),
  blockedBy: integer('blocked_by'),
  tokenVersion: integer('token_version').notNull().default(1),
  lastLoginAt: timestamp('last_login_at', { withTimezone: true }),
  hasSecondFactor: boolean('has_second_factor').notNull().default(false),
  labels: jsonb().$type<Labels>().notNull().default({}),
  deviationScore: doublePrecision('deviation_score').notNull().default(0),
  deviationScoredAt: timestamp('deviation_scored_at', { withTimezone: true }),
  deviationPace: jsonb('deviation_pace').$type<Pace>(),
  deviationRecent: jsonb('deviation_recent').$type<RecentTexts>(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  /** User id at the identity provider. */
  externalId: text('external_id'),
  givenName: text('given_name'),
  familyName: text('family_name'),
  provisionedBy: text('provisioned_by', { enum: ['scim'] }),
  /** Set when the identity provider deletes the user. Inactive deprovisioned users are hidden from the provider. */
  deprovisionedAt: timestamp('deprovisioned_at', { withTimezone: true }),
  /** A `service` account has keys and limits but cannot sign in. */
  kind: text('account_kind', { enum: ['person', 'service'] })
    .notNull()
    .default('person'),
  /** Team that owns a service account; `null` if the tenant owns it. */
  ownerTeamId: integer('owner_team_id'),
  scoresDeviation: boolean('scores_deviation').notNull().default(true),
  /** Set when a service account is deleted. The row is kept for the log. */
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
});

export const roles = pgTable('roles', {
  id: integer().primaryKey(),
  name: text({ enum: roleNames }).notNull(),
  description: text().notNull(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  address: text().notNull(),
  userAgent: text('user_agent').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  /** Updated with a delay of minutes, to avoid a write per request. */
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  /** User's token version when the session started. The session is valid while both versions are equal. */
  tokenVersion: integer('token_version').notNull().default(1),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  endedAt: timestamp('ended_at', { withTimezone: true }),
  /** Last time the user signed in or entered the password. */
  provedAt: timestamp('proved_at', { withTimezone: true }).notNull().defaultNow(),
  passkeyChallenge: text('passkey_challenge'),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  /** Identity that started the session; `null` for sign-in by password. */
  userIdentityId: integer('user_identity_id'),
  /** Session id at the identity provider (`sid`). */
  providerSession: text('provider_session'),
  /** ID token that is sent as a hint when signing out at the identity provider. */
  sealedIdToken: bytes('sealed_id_token'),
});

/** Failed and pending sign-in attempts per subject (an account or an IP address) and fixed time window. */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    subject: text().notNull(),
    windowStart: timestamp('window_start', { withTimezone: true }).notNull(),
    attempts: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.windowStart] })],
);

/** A row is deleted when its link is used or replaced. */
export const passwordResets = pgTable('password_resets', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  /**
   * User's token version when the link was requested. Ending the user's sessions changes the version and thereby
   * invalidates the link.
   */
  tokenVersion: integer('token_version').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});

/** `mailId` is the email with the current link. The database function `invitation_status` derives the status. */
export const invitations = pgTable('invitations', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  email: text().notNull(),
  roleId: integer('role_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  invitedBy: integer('invited_by').notNull(),
  invitedByName: text('invited_by_name').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  acceptedAt: timestamp('accepted_at', { withTimezone: true }),
  acceptedBy: integer('accepted_by'),
  cancelledAt: timestamp('cancelled_at', { withTimezone: true }),
  access: jsonb().$type<StartAccess>().notNull().default({}),
});

export const userPreferences = pgTable('user_preferences', {
  userId: integer('user_id').primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  theme: text({ enum: themes }).notNull(),
  density: text({ enum: densities }).notNull(),
  timeZone: text('time_zone'),
});

/** The tenant and user do not exist yet. */
export const signups = pgTable('signups', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  email: text().notNull(),
  name: text().notNull(),
  companyName: text('company_name').notNull(),
  passwordHash: text('password_hash').notNull(),
  planId: text('plan_id').notNull(),
  paymentProvider: text('payment_provider', { enum: ['stripe', 'simulated'] }).notNull(),
  customerId: text('customer_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  mailId: integer('mail_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});
