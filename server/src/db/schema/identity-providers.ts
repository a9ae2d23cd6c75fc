import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { MappingRule } from '#domain/identity-mapping.ts';
import { bytes } from './api-keys.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });
const mappedRoles = ['user', 'admin'] as const;

/** An unconfirmed domain grants nothing. */
export const domains = pgTable('domains', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  name: text().notNull(),
  confirmedAt: instant('confirmed_at'),
  confirmedBy: integer('confirmed_by'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const identityProviders = pgTable('identity_providers', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  name: text().notNull(),
  issuer: text().notNull(),
  clientId: text('client_id').notNull(),
  sealedClientSecret: bytes('sealed_client_secret'),
  scopes: text().notNull().default('openid email profile'),
  prompt: text({ enum: ['login', 'select_account', 'consent'] }),
  trustsEmails: boolean('trusts_emails').notNull().default(false),
  isEnabled: boolean('is_enabled').notNull().default(true),
  isShared: boolean('is_shared').notNull().default(false),
  emailDomains: text('email_domains').array().notNull().default([]),
  roleClaim: text('role_claim').default('groups'),
  teamClaim: text('team_claim').default('groups'),
  mapping: jsonb().$type<MappingRule[]>().notNull().default([]),
  defaultRole: text('default_role', { enum: mappedRoles }).default('user'),
  createsUsers: boolean('creates_users').notNull().default(true),
  callbackKey: text('callback_key'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/** An unconfirmed link grants nothing. */
export const userIdentities = pgTable('user_identities', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  identityProviderId: integer('identity_provider_id').notNull(),
  issuer: text().notNull(),
  subject: text().notNull(),
  email: text().notNull(),
  isEmailVerified: boolean('is_email_verified').notNull().default(false),
  confirmedAt: instant('confirmed_at'),
  confirmedBy: integer('confirmed_by'),
  mappedRole: text('mapped_role', { enum: mappedRoles }),
  mappedTeams: integer('mapped_teams').array().notNull().default([]),
  lastUsedAt: instant('last_used_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const signInPolicies = pgTable('sign_in_policies', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  localPasswords: text('local_passwords', { enum: ['allowed', 'break_glass'] })
    .notNull()
    .default('allowed'),
  breakGlassUsers: integer('break_glass_users').array().notNull().default([]),
  newAccounts: text('new_accounts', { enum: ['created', 'invited'] })
    .notNull()
    .default('created'),
  idleMinutes: integer('idle_minutes'),
  sessionHours: integer('session_hours').notNull().default(12),
});

export const signInAttempts = pgTable('sign_in_attempts', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  secretHash: bytes('secret_hash').notNull(),
  identityProviderId: integer('identity_provider_id').notNull(),
  testedBy: integer('tested_by'),
  expiresAt: instant('expires_at').notNull(),
});
