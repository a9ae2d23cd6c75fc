import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/**
 * Append-only until the retention period ends. Triggers of the audited tables add entries, as do reads of prompts and
 * calls with management tokens.
 */
export const auditEntries = pgTable('audit_entries', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id'),
  actorId: integer('actor_id'),
  actorTenantId: integer('actor_tenant_id'),
  actorName: text('actor_name'),
  actorEmail: text('actor_email'),
  action: text(),
  objectType: text('object_type').notNull(),
  objectId: text('object_id').notNull(),
  objectName: text('object_name'),
  before: jsonb().$type<Record<string, unknown>>(),
  after: jsonb().$type<Record<string, unknown>>(),
  requestId: text('request_id'),
  address: text(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
