import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { labelFilter } from '../labels.ts';

export const logStatuses = ['success', 'error', 'client_closed', 'refused'] as const;

/** Matches every status except `refused`. */
export const admittedLogs = 'admitted' as const;

const number = decimalNumber(z.number().min(0).max(1_000_000_000));

const agoOrDay = /^(?:[1-9]\d{0,4}[mhd]|today|yesterday|month)$/;

/**
 * Accepts minutes, hours or days ago (`30m`, `1h`, `7d`), a day (`today`, `yesterday`, `2026-11-20`), the current
 * `month`, or an instant in ISO 8601.
 */
const moment = (label: string) =>
  z
    .string()
    .max(40, `${label} must ${momentForms}`)
    .refine(
      (text) => agoOrDay.test(text) || isoDay.safeParse(text).success || isoTime.safeParse(text).success,
      `${label} must ${momentForms}`,
    );

export const momentForms =
  'be a duration such as 1h or 7d, today, yesterday, month, a date such as 2026-11-20, or a time such as 2026-11-20T10:00Z';

const isoDay = z.iso.date();
/** Seconds are optional. */
const isoTime = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Each filter is also a query parameter of the log routes. */
export const logQueryFilters = {
  status: z.enum([...logStatuses, admittedLogs]).optional(),
  /** `not_classified` matches requests without an intent. */
  intent_classification: z.string().max(50).optional(),
  /** `*` matches any characters. */
  model: z.string().max(200).optional(),
  provider_key: z.string().max(100).optional(),
  /** Error code of a rejection or failure, such as `model_blacklisted`. */
  error_code: z.string().max(100).optional(),
  /** Part of a name or email address. */
  user: z.string().max(200).optional(),
  task: z.string().max(200).optional(),
  /** Part of the team name. Matches requests under a grant of the team. */
  team: z.string().max(200).optional(),
  /** Part of the API key name. */
  key: z.string().max(200).optional(),
  /** `cost_center=4711`, or `cost_center` for any value. */
  label: labelFilter.optional(),
  /** Days are inclusive and in the tenant's time zone. */
  since: moment('Since').optional(),
  until: moment('Until').optional(),
  /** Exclusive bound in dollars. */
  cost_above: number.optional(),
  cost_below: number.optional(),
  tokens_above: number.optional(),
  tokens_below: number.optional(),
  response_time_above_ms: number.optional(),
  response_time_below_ms: number.optional(),
  /** Searches request ids (whole or suffix), users, reasons, errors, prompts and responses. */
  search: z.string().max(200).optional(),
};

export type LogQuery = z.output<z.ZodObject<typeof logQueryFilters>>;

type FieldName = Exclude<keyof LogQuery, 'search'>;

/** Maps the notation of a filter, such as `status:error` or `cost>0.01`, to its field. */
export const logQueryFields: ReadonlyMap<string, FieldName> = new Map([
  ['status:', 'status'],
  ['intent:', 'intent_classification'],
  ['model:', 'model'],
  ['provider:', 'provider_key'],
  ['code:', 'error_code'],
  ['user:', 'user'],
  ['task:', 'task'],
  ['team:', 'team'],
  ['key:', 'key'],
  ['label:', 'label'],
  ['since:', 'since'],
  ['until:', 'until'],
  ['cost>', 'cost_above'],
  ['cost<', 'cost_below'],
  ['tokens>', 'tokens_above'],
  ['tokens<', 'tokens_below'],
  ['time>', 'response_time_above_ms'],
  ['time<', 'response_time_below_ms'],
]);

export const logQueryLengthMax = 500;
