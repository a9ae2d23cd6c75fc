import type { Labels } from '@sluice/contract';
import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** An inactive team grants no access. */
export const teams = pgTable('teams', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  name: text().notNull(),
  description: text(),
  isActive: boolean('is_active').notNull().default(true),
  labels: jsonb().$type<Labels>().notNull().default({}),
  createdBy: integer('created_by'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  /** Group id at the identity provider. */
  externalId: text('external_id'),
  provisionedBy: text('provisioned_by', { enum: ['scim'] }),
});

/** Members with the role `admin` manage the team and its members. */
export const teamMembers = pgTable('team_members', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  teamId: integer('team_id').notNull(),
  userId: integer('user_id').notNull(),
  role: text({ enum: ['member', 'admin'] })
    .notNull()
    .default('member'),
  isActive: boolean('is_active').notNull().default(true),
  addedBy: integer('added_by'),
  joinedAt: timestamp('joined_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
