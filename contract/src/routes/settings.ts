import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { whenAbsent } from '../describe-field-problem.ts';
import { isPlainLine, isTimeZone, notPlainLine } from '../fields.ts';
import { instant } from '../ids.ts';
import { priceJson } from '../money.ts';
import { defineRoutes } from '../route.ts';
import { deviationPolicy } from './governance.ts';
import { promptPrivacyModes } from './logs.ts';
import { quota } from './users.ts';

export const uncertainBelow = 0.6;

export const retentionDaysRange = { min: 1, max: 3650 } as const;

/** In days. The minimum exceeds every analytics range. */
const usageRetentionDaysRange = { min: 400, max: 3650 } as const;

const outputTokensRange = { min: 16, max: 10_000_000 } as const;

const apiKeysPerUserMax = 50;
/**
 * Handling of requests for models without a price while a budget in dollars applies: rejected, served without being
 * counted, or counted at the fallback price.
 */
export const unpricedModelRules = ['refuse', 'allow', 'fallback'] as const;

export const tenantSettings = z.object({
  name: z.string(),
  /** Quotas, reports and log dates use this time zone. */
  time_zone: z.string(),
  /** Applies to the cost of service-managed instances. The same for all tenants. */
  markup_percentage: z.number(),
  deviation_policy: deviationPolicy,
  prompt_privacy: z.enum(promptPrivacyModes),
  retention_days: z.number().int(),
  /** Prompts and responses are kept this long. At most `retention_days`. */
  body_retention_days: z.number().int(),
  /** Analytics and report figures are kept this long. The ledger is kept permanently. */
  usage_retention_days: z.number().int(),
  /** Per response. Higher limits in requests are reduced to this value. `null` means no limit. */
  max_output_tokens: z.number().int().nullable(),
  /** Names or globs of the models that may receive a prompt with uncertain intent. An empty list allows all models. */
  trusted_models: z.array(z.string()),
  /** Applies to new users. `null` means unlimited. */
  default_daily_quota: z.number().nullable(),
  default_monthly_quota: z.number().nullable(),
  default_requests_per_hour: z.number().nullable(),
  /** If false, only an administrator may replace a user's API key. */
  users_regenerate_keys: z.boolean(),
  /** Maximum number of named keys, in addition to the primary key. */
  api_keys_per_user: z.number().int(),
  /** If false, only an administrator may create named API keys. */
  users_create_keys: z.boolean(),
  /** Applies while a budget in dollars covers the request. */
  unpriced_models: z.enum(unpricedModelRules),
  /** In dollars per million tokens. Applies to instances that the tenant pays directly. */
  fallback_price: priceJson.nullable(),
  second_factor_roles: z.array(z.enum(['admin', 'user'])),
  /** Request labels are sent in the header `x-sluice-labels`. */
  accepts_request_labels: z.boolean(),
  /** Applies to the whole installation. */
  requires_super_admin_second_factor: z.boolean(),
});

export type TenantSettings = z.infer<typeof tenantSettings>;

const days = (subject: string) =>
  z
    .int(`${subject} must be a whole number of days`)
    .min(retentionDaysRange.min, `${subject} must be at least 1 day`)
    .max(retentionDaysRange.max, `${subject} must be at most 3,650 days`);

export const updateSettingsBody = z
  .strictObject({
    name: z
      .string(whenAbsent('Name is required'))
      .trim()
      .min(1, 'Name is required')
      .max(200, 'Name must be at most 200 characters')
      .refine(isPlainLine, notPlainLine('Name')),
    time_zone: z
      .string()
      .max(100, 'Please choose a time zone')
      .refine(isTimeZone, 'Please choose a time zone'),
    /** Only super administrators may change it. */
    markup_percentage: z
      .number('Markup must be a number')
      .min(0, 'Markup must be non-negative')
      .max(1000, 'Markup cannot exceed 1,000 %')
      .refine((percent) => Number(percent.toFixed(2)) === percent, 'Markup can have at most 2 decimals'),
    deviation_policy: deviationPolicy,
    prompt_privacy: z.enum(promptPrivacyModes, 'Please choose how prompts are stored'),
    default_daily_quota: quota('Default daily quota', 1, 'Default daily quota must be at least 1'),
    default_monthly_quota: quota('Default monthly quota', 1, 'Default monthly quota must be at least 1'),
    default_requests_per_hour: quota(
      'Default requests per hour',
      1,
      'Default requests per hour must be at least 1',
    ),
    users_regenerate_keys: z.boolean(),
    api_keys_per_user: z
      .int('API keys per user must be a whole number')
      .min(0, 'API keys per user must be at least 0')
      .max(apiKeysPerUserMax, 'API keys per user must be at most 50'),
    users_create_keys: z.boolean(),
    unpriced_models: z.enum(unpricedModelRules, 'Please choose what happens to models without a price'),
    fallback_price: priceJson.nullable(),
    accepts_request_labels: z.boolean(),
    second_factor_roles: z
      .array(z.enum(['admin', 'user'], 'A second factor can be required for the roles admin and user'))
      .max(2)
      .transform((roles) => [...new Set(roles)]),
    /** Only super administrators may change it. */
    requires_super_admin_second_factor: z.boolean(),
    retention_days: days('Log rows'),
    body_retention_days: days('Prompts and answers'),
    usage_retention_days: z
      .int('Usage figures must be a whole number of days')
      .min(usageRetentionDaysRange.min, 'Usage figures must be at least 400 days')
      .max(usageRetentionDaysRange.max, 'Usage figures must be at most 3,650 days'),
    max_output_tokens: z
      .int('Longest answer must be a whole number of tokens')
      .min(outputTokensRange.min, 'Longest answer must be at least 16 tokens')
      .max(outputTokensRange.max, 'Longest answer must be at most 10,000,000 tokens')
      .nullable(),
    trusted_models: z
      .array(
        z
          .string()
          .trim()
          .min(1, 'A model name is required')
          .max(200, 'A model name must be at most 200 characters'),
      )
      .max(100, 'At most 100 models are allowed'),
  })
  .partial();

/** Rows and texts that a retention setting would delete at the next run of the retention job. */
export const retentionPreview = z.object({
  rows: z.number().int(),
  /** Remaining rows whose prompts and responses are deleted. */
  bodies: z.number().int(),
  /** False if counting stopped at its limit. */
  is_exact: z.boolean(),
  /** Next run of the retention job. */
  runs_at: instant,
});

export type RetentionPreview = z.infer<typeof retentionPreview>;

const path = '/admin/settings';

const daysText = (subject: string) => decimalNumber(days(subject));

export const settingsRoutes = defineRoutes({
  getSettings: {
    method: 'GET',
    path,
    surface: 'management',
    permission: 'settings.read',
    summary: "Get the tenant's settings",
    response: tenantSettings,
  },
  updateSettings: {
    method: 'PUT',
    path,
    surface: 'management',
    permission: 'settings.write',
    summary: "Change some of the tenant's settings",
    request: { body: updateSettingsBody },
    response: tenantSettings,
  },
  previewRetention: {
    method: 'GET',
    path: `${path}/retention-preview`,
    surface: 'management',
    permission: 'settings.read',
    summary: 'Preview how many log rows and texts a retention setting would delete, and when',
    request: {
      query: z.strictObject({
        retention_days: daysText('Log rows'),
        body_retention_days: daysText('Prompts and answers'),
      }),
    },
    response: retentionPreview,
  },
});
