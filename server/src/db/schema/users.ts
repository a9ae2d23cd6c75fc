import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { Pace } from '#domain/deviation/pace.ts';
import type { RecentAsks } from '#domain/deviation/recent-asks.ts';

/** Quotas: `null` is unlimited, 0 allows nothing. */
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
  deviationScore: doublePrecision('deviation_score').notNull().default(0),
  deviationScoredAt: timestamp('deviation_scored_at', { withTimezone: true }),
  deviationPace: jsonb('deviation_pace').$type<Pace>(),
  deviationRecent: jsonb('deviation_recent').$type<RecentAsks>(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});
