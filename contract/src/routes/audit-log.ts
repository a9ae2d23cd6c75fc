import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { id, instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/** What an administrative change can be made to, or whose reading is noted, as the log calls it. */
export const auditedObjectTypes = [
  'tenant',
  'user',
  'invitation',
  'api_key',
  'registry_entry',
  'llm_provider',
  'user_provider_access',
  'team',
  'team_member',
  'team_provider_access',
  'task',
  'task_assignment',
  'blacklist_entry',
  'appeal',
  'intent_correction',
  'price_override',
  'platform_settings',
  'credit_transaction',
  'payment_customer',
  'subscription',
  'prompt',
  'prompt_list',
  'export',
] as const;

/** Columns by name. Of a secret only `[redacted]` is told: that it changed. */
const columns = z.record(z.string(), z.unknown());

export const auditEntry = z.object({
  id: z.number().int(),
  created_at: instant,
  /** `null` for the system: a first run, a job, a policy. */
  actor_id: z.number().int().nullable(),
  /** Name and address as they were at the time. */
  actor_name: z.string().nullable(),
  actor_email: z.string().nullable(),
  /** The name of the operation that was called, as in the API reference; `null` when it was none. */
  action: z.string().nullable(),
  object_type: z.string(),
  object_id: z.string(),
  object_name: z.string().nullable(),
  /** What the changed columns held; `null` for what was created. */
  before: columns.nullable(),
  /** What they hold now; `null` for what was deleted. */
  after: columns.nullable(),
  request_id: z.string().nullable(),
  address: z.string().nullable(),
});

export type AuditEntry = z.infer<typeof auditEntry>;

export const auditFilters = {
  actor_id: id.optional(),
  action: z.string().max(100).optional(),
  object_type: z.enum(auditedObjectTypes).optional(),
  object_id: z.string().max(100).optional(),
  /** Days of the tenant's calendar, either of them alone too. */
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  /** Found in names, addresses, the action and the values. */
  search: z.string().max(200).optional(),
};

export const auditLogRoutes = defineRoutes({
  listAuditEntries: {
    method: 'GET',
    path: '/admin/audit-log',
    surface: 'management',
    permission: 'audit.read',
    summary:
      "Administrative changes and readings of others' prompts, newest first; changes of the whole installation for super administrators",
    request: { query: z.strictObject({ ...auditFilters, ...pageQuery(50) }) },
    response: z.array(auditEntry),
  },
  exportAuditEntries: {
    method: 'GET',
    path: '/admin/audit-log/export',
    surface: 'management',
    permission: 'audit.read',
    summary:
      'All entries that pass the filters, newest first, as a file; one export at a time for each person',
    request: { query: z.strictObject({ ...auditFilters, format: exportFormat }) },
    response: z.string(),
    download: exportMediaTypes,
  },
  getAuditEntry: {
    method: 'GET',
    path: '/admin/audit-log/{id}',
    surface: 'management',
    permission: 'audit.read',
    summary: 'One administrative change',
    request: { params: z.object({ id }) },
    response: auditEntry,
  },
});
