import { bannerSeverities, type NodeReport, roleNames } from '@sluice/contract';
import {
  bigint,
  boolean,
  integer,
  json,
  jsonb,
  numeric,
  pgTable,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** Has one row. Nodes compare their secret with `secretCheck`, which belongs to the current secret. */
export const installation = pgTable('installation', {
  id: boolean().primaryKey().default(true),
  secretCheck: bytes('secret_check').notNull(),
  sealedHashKeys: bytes('sealed_hash_keys'),
  firstKeyId: integer('first_key_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export const platformSettings = pgTable('platform_settings', {
  id: integer().primaryKey().default(1),
  markupPercentage: numeric('markup_percentage', { mode: 'number', precision: 6, scale: 2 })
    .notNull()
    .default(20),
  requiresSuperAdminSecondFactor: boolean('requires_super_admin_second_factor').notNull().default(false),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

export const nodeReports = pgTable('node_reports', {
  name: text().primaryKey(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
  report: jsonb().$type<NodeReport>().notNull(),
});

export const banners = pgTable('banners', {
  id: text().primaryKey(),
  severity: text({ enum: bannerSeverities }).notNull(),
  message: text().notNull(),
  audience: text({ enum: roleNames }).notNull(),
  /** `null` means all tenants. */
  tenantId: integer('tenant_id'),
  raisedAt: timestamp('raised_at', { withTimezone: true }).notNull().defaultNow(),
});

/** Alert webhook messages for banners: one when a banner is raised and one when it ends. */
export const alerts = pgTable('alerts', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  bannerId: text('banner_id').notNull(),
  raisedAt: timestamp('raised_at', { withTimezone: true }).notNull(),
  event: text({ enum: ['raised', 'ended'] }).notNull(),
  severity: text().notNull(),
  message: text().notNull(),
  tenantId: integer('tenant_id'),
  notedAt: timestamp('noted_at', { withTimezone: true }).notNull().defaultNow(),
  attempts: smallint().notNull().default(0),
  nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull().defaultNow(),
  /** Time at which the alert was delivered or abandoned. */
  endedAt: timestamp('ended_at', { withTimezone: true }),
  isDelivered: boolean('is_delivered').notNull().default(false),
});

export const firstSteps = pgTable('first_steps', {
  tenantId: integer('tenant_id').primaryKey(),
  connectionTestedAt: timestamp('connection_tested_at', { withTimezone: true }).notNull(),
});

export const jobRuns = pgTable('job_runs', {
  name: text().primaryKey(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  durationMs: real('duration_ms').notNull(),
  succeededAt: timestamp('succeeded_at', { withTimezone: true }),
  failures: bigint({ mode: 'number' }).notNull().default(0),
  lastError: text('last_error'),
  figures: jsonb().$type<Record<string, number>>().notNull().default({}),
});

export const jobSchedules = pgTable('job_schedules', {
  name: text().primaryKey(),
  nextAt: timestamp('next_at', { withTimezone: true }).notNull(),
  intervalSeconds: integer('interval_seconds').notNull().default(0),
  plannedAt: timestamp('planned_at', { withTimezone: true }).notNull().defaultNow(),
  attempts: integer().notNull().default(0),
  runId: uuid('run_id'),
  leasedUntil: timestamp('leased_until', { withTimezone: true }),
});

export const runningExports = pgTable('running_exports', {
  tenantId: integer('tenant_id').primaryKey(),
  holder: uuid().notNull(),
  renewedAt: timestamp('renewed_at', { withTimezone: true }).notNull().defaultNow(),
});

/** `tenantId` and `actorId` are `null` for unauthenticated callers. */
export const idempotencyKeys = pgTable('idempotency_keys', {
  tenantId: integer('tenant_id'),
  actorId: integer('actor_id'),
  route: text().notNull(),
  key: text().notNull(),
  requestHash: bytes('request_hash').notNull(),
  answer: json().$type<unknown>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
