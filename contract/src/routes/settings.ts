import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { whenAbsent } from '../describe-field-problem.ts';
import { instant } from '../ids.ts';
import { isPlainLine, notPlainLine } from '../plain-line.ts';
import { defineRoutes } from '../route.ts';
import { isTimeZone } from '../time-zone.ts';
import { deviationPolicy } from './governance.ts';
import { promptPrivacyModes } from './prompt-privacy.ts';

/** Below this confidence it is not clear what a prompt asks for. */
export const uncertainBelow = 0.6;

/** Days of the log: how few and how many a tenant may choose. */
export const retentionDaysRange = { min: 1, max: 3650 } as const;

/** Days of usage: longer than any range of the analytics. */
const usageRetentionDaysRange = { min: 400, max: 3650 } as const;

/** The fewest tokens that an answer may be cut to. */
const outputTokensRange = { min: 16, max: 10_000_000 } as const;

export const tenantSettings = z.object({
  name: z.string(),
  /** Where the tenant's days and months begin: for quotas, reports and the logs' dates. */
  time_zone: z.string(),
  /** Added to what service-managed instances cost; the same for all tenants. */
  markup_percentage: z.number(),
  deviation_policy: deviationPolicy,
  prompt_privacy: z.enum(promptPrivacyModes),
  /** Days for which rows of the log are kept. */
  retention_days: z.number().int(),
  /** Days for which prompts and answers are kept; never more than the rows. */
  body_retention_days: z.number().int(),
  /** Days for which the figures of analytics and reports are kept. The ledger is kept for good. */
  usage_retention_days: z.number().int(),
  /** The most tokens of one answer, to which a request's own cap is lowered; `null` is no cap. */
  max_output_tokens: z.number().int().nullable(),
  /** Names or globs of the models that alone may get a prompt whose intent is uncertain; empty: all may. */
  trusted_models: z.array(z.string()),
});

export type TenantSettings = z.infer<typeof tenantSettings>;

const days = (subject: string) =>
  z
    .int(`${subject} must be a whole number of days`)
    .min(retentionDaysRange.min, `${subject} must be at least 1 day`)
    .max(retentionDaysRange.max, `${subject} must be at most 3,650 days`);

/** Only the changed fields. */
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
    /** Only a super administrator may change it. */
    markup_percentage: z
      .number('Markup must be a number')
      .min(0, 'Markup must be non-negative')
      .max(1000, 'Markup cannot exceed 1,000 %')
      .refine((percent) => Number(percent.toFixed(2)) === percent, 'Markup has at most 2 decimals'),
    /** As a whole. */
    deviation_policy: deviationPolicy,
    prompt_privacy: z.enum(promptPrivacyModes, 'Please choose what is kept of prompts'),
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
        z.string().trim().min(1, 'A model needs a name').max(200, 'A model name has at most 200 characters'),
      )
      .max(100, 'At most 100 models'),
  })
  .partial();

/** What a retention would delete at the next run of its job. */
export const retentionPreview = z.object({
  rows: z.number().int(),
  /** Rows that stay, whose prompts and answers go. */
  bodies: z.number().int(),
  /** False where there are more than were counted. */
  is_exact: z.boolean(),
  /** When the job runs next. */
  runs_at: instant,
});

export type RetentionPreview = z.infer<typeof retentionPreview>;

const path = '/admin/settings';

/** As a query carries it. */
const daysText = (subject: string) => decimalNumber(days(subject));

export const settingsRoutes = defineRoutes({
  getSettings: {
    method: 'GET',
    path,
    surface: 'management',
    permission: 'settings.read',
    summary: "The tenant's settings",
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
    summary: 'How many rows and texts of the log these days of retention would delete, and when',
    request: {
      query: z.strictObject({
        retention_days: daysText('Log rows'),
        body_retention_days: daysText('Prompts and answers'),
      }),
    },
    response: retentionPreview,
  },
});
