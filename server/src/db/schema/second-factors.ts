import { bigint, customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

const bytesList = customType<{ data: Buffer[] }>({ dataType: () => 'bytea[]' });

/** An app only counts as a second factor once its first code is confirmed. */
export const totpAuthenticators = pgTable('totp_authenticators', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  sealedSecret: bytes('sealed_secret'),
  confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
  /** Time step of the last accepted code, to reject reused codes. */
  lastStep: bigint('last_step', { mode: 'number' }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
});

export const passkeys = pgTable('passkeys', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  name: text().notNull(),
  credentialId: text('credential_id').notNull(),
  /** COSE key in base64url encoding. */
  publicKey: text('public_key').notNull(),
  signCount: bigint('sign_count', { mode: 'number' }).notNull(),
  transports: text().array().notNull().default([]),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
});

/** Unused codes, stored as HMACs. */
export const recoveryCodes = pgTable('recovery_codes', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  codeHashList: bytesList('code_hash_list').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Sign-ins with a correct password and a pending second step. */
export const signInTickets = pgTable('sign_in_tickets', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  userId: integer('user_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  /**
   * User's token version when the password was checked. Ending the user's sessions changes the version and thereby
   * invalidates the ticket.
   */
  tokenVersion: integer('token_version').notNull(),
  challenge: text().notNull(),
  tries: integer().notNull().default(0),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});
