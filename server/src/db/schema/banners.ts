import { bannerSeverities, roleNames } from '@sluice/contract';
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const banners = pgTable('banners', {
  id: text().primaryKey(),
  severity: text({ enum: bannerSeverities }).notNull(),
  message: text().notNull(),
  audience: text({ enum: roleNames }).notNull(),
  /** `null` means all tenants. */
  tenantId: integer('tenant_id'),
  raisedAt: timestamp('raised_at', { withTimezone: true }).notNull().defaultNow(),
});
