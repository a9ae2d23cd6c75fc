import { z } from 'zod';

/** Fields that are missing in some versions of LiteLLM and `null` in others, with the same meaning. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const amount = optional(z.coerce.number());
const text = optional(z.string());
const texts = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);
const isSet = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

/** JSON columns, which some calls return as strings. */
const json = z
  .preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return null;
    }
  }, z.record(z.string(), z.unknown()).nullish().catch(null))
  .transform((value) => value ?? {});

/** LiteLLM stores times in UTC without a time zone. */
const time = z
  .string()
  .nullish()
  .transform((value) => {
    if (!value) return null;
    const date = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`);
    return Number.isNaN(date.getTime()) ? null : date;
  });

const limits = {
  max_budget: amount,
  soft_budget: amount,
  tpm_limit: amount,
  rpm_limit: amount,
  tpd_limit: amount,
  max_parallel_requests: amount,
  budget_duration: text,
  budget_reset_at: time,
  model_max_budget: json,
};

export const modelRow = z.object({
  model_name: z.string(),
  litellm_params: json,
  model_info: json,
  blocked: isSet,
});
export const credentialRow = z.object({ credential_name: z.string(), credential_values: json });
export const budgetRow = z.object({ budget_id: z.string(), ...limits });
export const teamRow = z.object({
  team_id: z.string(),
  team_alias: text,
  organization_id: text,
  admins: texts,
  members: texts,
  members_with_roles: z.unknown().optional(),
  metadata: json,
  spend: amount,
  models: texts,
  access_group_ids: texts,
  blocked: isSet,
  ...limits,
});
export const userRow = z.object({
  user_id: z.string(),
  user_alias: text,
  user_email: text,
  user_role: text,
  teams: texts,
  models: texts,
  spend: amount,
  metadata: json,
  ...limits,
});
export const keyRow = z.object({
  token: z.string(),
  key_name: text,
  key_alias: text,
  spend: amount,
  expires: time,
  models: texts,
  access_group_ids: texts,
  aliases: json,
  user_id: text,
  team_id: text,
  organization_id: text,
  budget_id: text,
  metadata: json,
  permissions: json,
  allowed_routes: texts,
  blocked: isSet,
  ...limits,
});
export const membershipRow = z.object({
  user_id: z.string(),
  team_id: z.string(),
  spend: amount,
  budget_id: text,
});
export const accessGroupRow = z.object({
  access_group_id: z.string(),
  access_group_name: z.string(),
  access_model_names: texts,
});
export const configRow = z.object({ param_name: z.string(), param_value: json });

export type ModelRow = z.output<typeof modelRow>;
export type TeamRow = z.output<typeof teamRow>;
export type UserRow = z.output<typeof userRow>;
export type KeyRow = z.output<typeof keyRow>;
export type BudgetRow = z.output<typeof budgetRow>;
export type LimitColumns = Pick<BudgetRow, keyof typeof limits>;

/** Data read from LiteLLM, with secrets decrypted. */
export interface LitellmSource {
  readonly models: readonly ModelRow[];
  readonly credentials: readonly z.output<typeof credentialRow>[];
  readonly budgets: readonly BudgetRow[];
  readonly teams: readonly TeamRow[];
  readonly users: readonly UserRow[];
  readonly keys: readonly KeyRow[];
  readonly memberships: readonly z.output<typeof membershipRow>[];
  readonly accessGroups: readonly z.output<typeof accessGroupRow>[];
  readonly settings: LitellmSettings;
  /** Number of objects of each kind that has no equivalent in Sluice. */
  readonly foreign: Readonly<Record<string, number>>;
}

/** Settings from the configuration file, or from the table that replaces the file. */
export interface LitellmSettings {
  /** `fallbacks` of the router, followed by the fallbacks of `litellm_settings`. */
  readonly fallbacks: readonly Readonly<Record<string, readonly string[]>>[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Settings without an equivalent in Sluice. */
  readonly ignored: readonly string[];
}

export const noSource: LitellmSource = {
  models: [],
  credentials: [],
  budgets: [],
  teams: [],
  users: [],
  keys: [],
  memberships: [],
  accessGroups: [],
  settings: { fallbacks: [], aliases: {}, environment: {}, ignored: [] },
  foreign: {},
};
