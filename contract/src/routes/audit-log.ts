import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { id, instant } from '../ids.ts';
import { budgetMeasures } from '../money.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

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
  'budget',
  'budget_default',
  'budget_raise_request',
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
  'scim_token',
  'totp_authenticator',
  'passkey',
  'recovery_codes',
  'management_token',
  'signed_in_tool',
  'domain',
  'identity_provider',
  'user_identity',
  'sign_in_policy',
  'shadow_run',
] as const;

/** Secrets appear as `[redacted]`, which shows only that the value changed. */
const columns = z.record(z.string(), z.unknown());

/**
 * Kind by column name: money in dollars, a limit in the measure of its budget, a count, or another number such as an
 * id.
 */
export const auditedAmounts: Readonly<Record<string, 'money' | 'limit' | 'count' | 'other'>> = {
  amount: 'money',
  balance_before: 'money',
  balance_after: 'money',
  low_balance_threshold: 'money',
  limit_amount: 'limit',
  raised_limit: 'limit',
  daily_quota: 'count',
  monthly_quota: 'count',
  requests_per_hour: 'count',
  rows: 'count',
  default_daily_quota: 'count',
  default_monthly_quota: 'count',
  default_requests_per_hour: 'count',
  token_limit: 'count',
  tokens: 'count',
  refunded_entry_id: 'other',
  score_event_id: 'other',
  sign_count: 'other',
  last_step: 'other',
};

export const auditEntry = z.object({
  id: z.number().int(),
  created_at: instant,
  /** `null` for the system (first start, job or policy). */
  actor_id: z.number().int().nullable(),
  /** Recorded at the time of the change. For a management token, the name is the token's. */
  actor_name: z.string().nullable(),
  actor_email: z.string().nullable(),
  /** Operation name as in the API reference. `null` if no operation was called. */
  action: z.string().nullable(),
  object_type: z.string(),
  object_id: z.string(),
  object_name: z.string().nullable(),
  /** Changed columns. `null` if the object was created. */
  before: columns.nullable(),
  /** Changed columns. `null` if the object was deleted. */
  after: columns.nullable(),
  /**
   * Unit of a budget's `limit_amount` and `raised_limit`. `usd` means dollars. `null` for other objects and for
   * unknown budgets.
   */
  measure: z.enum(budgetMeasures).nullable(),
  request_id: z.string().nullable(),
  address: z.string().nullable(),
});

export type AuditEntry = z.infer<typeof auditEntry>;

/** `link_names` contains the current names of the objects to which columns refer, by column and id. */
export const auditEntryDetails = auditEntry.extend({
  link_names: z.record(z.string(), z.record(z.string(), z.string())),
});

export type AuditEntryDetails = z.infer<typeof auditEntryDetails>;

export const auditFilters = {
  actor_id: id.optional(),
  action: z.string().max(100).optional(),
  object_type: z.enum(auditedObjectTypes).optional(),
  object_id: z.string().max(100).optional(),
  /** Days are in the tenant's time zone. Either may be omitted. */
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  search: z.string().max(200).optional(),
};

export const auditLogRoutes = defineRoutes({
  listAuditEntries: {
    method: 'GET',
    path: '/admin/audit-log',
    surface: 'management',
    permission: 'audit.read',
    summary:
      "List administrative changes and reads of other users' prompts, newest first; super administrators also see changes to the installation",
    request: { query: z.strictObject({ ...auditFilters, ...pageQuery(50), before: pageBefore }) },
    response: z.array(auditEntry),
  },
  exportAuditEntries: {
    method: 'GET',
    path: '/admin/audit-log/export',
    surface: 'management',
    permission: 'audit.read',
    summary: 'Export all entries that match the filters, newest first; one export at a time per tenant',
    request: { query: z.strictObject({ ...auditFilters, format: exportFormat }) },
    response: z.string(),
    download: exportMediaTypes,
  },
  getAuditEntry: {
    method: 'GET',
    path: '/admin/audit-log/{id}',
    surface: 'management',
    permission: 'audit.read',
    summary: 'Get one administrative change',
    request: { params: z.object({ id }) },
    response: auditEntryDetails,
  },
});
