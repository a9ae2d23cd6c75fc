import { z } from 'zod';
import { keyNameAs } from './api-key-limits.ts';
import { labelName, labelSet, labelsMax } from './labels.ts';

/** Id in a request from a LiteLLM client: a string or number, or a user's email address. */
export const reference = z.union([
  z.int().min(1).max(2_147_483_647).transform(String),
  z.string().trim().min(1).max(254),
]);

/** A number and a unit, such as `30d`. `mo` is a month. */
export const duration = z
  .string()
  .trim()
  .max(12, 'A duration must have the form 30s, 15m, 12h, 7d, 2w or 1mo')
  .regex(/^[1-9][0-9]{0,6}(s|m|h|d|w|mo)$/, 'A duration must have the form 30s, 15m, 12h, 7d, 2w or 1mo');

const windows = {
  '1h': 'hour',
  '24h': 'day',
  '1d': 'day',
  '7d': 'week',
  '1w': 'week',
  '30d': 'month',
  '1mo': 'month',
} as const;

type BudgetDuration = keyof typeof windows;

/** Maps LiteLLM's duration to a budget window. */
export const windowOfBudgetDuration = (text: BudgetDuration) => windows[text];

/** Returns `null` for a total budget. */
export function budgetDurationOf(window: string): string | null {
  const durations = { minute: '1m', hour: '1h', day: '1d', week: '7d', month: '30d' };
  return Object.hasOwn(durations, window) ? durations[window as keyof typeof durations] : null;
}

const budgetDurations = Object.keys(windows) as BudgetDuration[]; // safe because the object has no other keys

const usdMax = 9_000_000;
const rateMax = 9_007_199_254_740_991;

export const limits = {
  max_budget: z.number().min(0).max(usdMax).nullish(),
  budget_duration: z.enum(budgetDurations).nullish(),
  tpm_limit: z.int().min(0).max(rateMax).nullish(),
  rpm_limit: z.int().min(0).max(rateMax).nullish(),
  max_parallel_requests: z.int().min(0).max(rateMax).nullish(),
};

/** LiteLLM's names for all models. */
const allModels: readonly string[] = ['all-team-models', 'all-proxy-models'];

export const models = z
  .array(z.string().trim().min(1).max(200))
  .max(100)
  .transform((names) => (names.length === 0 || names.some((name) => allModels.includes(name)) ? null : names))
  .nullish();

/** Stored as labels: strings, numbers and booleans under lowercase names. */
export const metadata = z
  .record(labelName, z.union([z.string().max(200), z.number(), z.boolean()]))
  .refine((entries) => Object.keys(entries).length <= labelsMax, `At most ${labelsMax} labels are allowed`)
  .meta({ maxProperties: labelsMax })
  .transform((entries) =>
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, String(value)])),
  )
  .pipe(labelSet)
  .nullish();

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * Accepts empty values of fields without an equivalent in Sluice, since LiteLLM clients send them. All other values
 * are rejected.
 */
export function withoutEquivalent<const Name extends string>(...names: readonly Name[]) {
  const field = (name: string) =>
    z.preprocess(
      (value) => (isEmpty(value) ? null : value),
      z.null(`${name} has no equivalent in Sluice. Omit it.`).optional(),
    );
  // safe because each name gets the same schema
  return Object.fromEntries(names.map((name) => [name, field(name)])) as Record<
    Name,
    ReturnType<typeof field>
  >;
}

export const keyFields = {
  key_alias: keyNameAs('Key alias').nullish(),
  models,
  duration: duration.nullish(),
  metadata,
  ...limits,
};

export const fieldsOfNoUse = [
  'aliases',
  'allowed_cache_controls',
  'allowed_passthrough_routes',
  'allowed_routes',
  'budget_id',
  'config',
  'enforced_params',
  'guardrails',
  'model_max_budget',
  'model_rpm_limit',
  'model_tpm_limit',
  'object_permission',
  'organization_id',
  'permissions',
  'policies',
  'prompts',
  'soft_budget',
  'spend',
  'tags',
] as const;

/** API key, or the `token` that responses contain for the key. */
export const keyReference = z.string().trim().min(1).max(300);
