import { z } from 'zod';
import { ids } from '../ids.ts';
import { labelFilter } from '../labels.ts';
import { usd } from '../money.ts';
import { defineRoutes } from '../route.ts';

const monthFormat = 'Month must be in the format YYYY-MM, such as 2026-11';

/** Month in the tenant's time zone, for example `2026-11`. */
export const statementMonth = z
  .string()
  .max(7, monthFormat)
  .regex(/^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/, monthFormat);

export const statementGroupings = ['team', 'label'] as const;

export type StatementGrouping = (typeof statementGroupings)[number];

/** Further rows are summed in one row. */
export const statementRowsMax = 1_000;

const amounts = {
  requests: z.number().int(),
  tokens: z.number().int(),
  /** Cost at the tenant's own providers. */
  self_managed_usd: usd,
  /** Cost deducted from the tenant's credits. */
  service_managed_usd: usd,
  cost_usd: usd,
};

export const statementRow = z.object({
  /** One team or label value, the sum of the rows beyond the maximum, or requests without a team or label. */
  kind: z.enum(['value', 'other', 'none']),
  /** Empty unless the kind is `value`. */
  name: z.string(),
  team_id: z.number().int().nullable(),
  ...amounts,
});

export type StatementRow = z.infer<typeof statementRow>;

/** Usage and cost of a month. The rows add up to the total. */
export const statement = z.object({
  month: statementMonth,
  by: z.enum(statementGroupings),
  label: z.string().nullable(),
  tenant_name: z.string(),
  time_zone: z.string(),
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  /** Whether the month is over. Requests that are still running may change the figures. */
  is_over: z.boolean(),
  /** Whether the retention policy has deleted usage of the month. The ledger is kept. */
  is_reduced: z.boolean(),
  rows: z.array(statementRow),
  /** Includes requests with and without labels, counted independently of the rows. */
  total: z.object(amounts),
  /** Whether the statement includes only requests of some teams, or with a label. */
  is_filtered: z.boolean(),
  /** `null` if filtered, since the ledger has neither teams nor labels. */
  ledger_deductions_usd: usd.nullable(),
  /** Whether the service-managed cost equals the deductions. `null` if filtered. */
  matches_ledger: z.boolean().nullable(),
});

export type Statement = z.infer<typeof statement>;

export const statementFormats = ['json', 'csv'] as const;

const query = z
  .strictObject({
    month: statementMonth,
    /** Only requests under the grants of these teams. */
    team_id: ids.optional(),
    /**
     * With a value, as in `cost_center=4711`, only requests with this value are included. With `by=team`, a name
     * alone includes the requests that have the label.
     */
    label: labelFilter.optional(),
    /** Defaults to `label` if a label is given, else to `team`. */
    by: z.enum(statementGroupings).optional(),
    /** A CSV file has the total as its last row. */
    format: z.enum(statementFormats).default('json'),
  })
  .refine(({ by, label }) => by !== 'label' || label !== undefined, {
    path: ['label'],
    message: 'Enter the name of the label, such as cost_center',
  });

export const statementsRoutes = defineRoutes({
  getStatement: {
    method: 'GET',
    path: '/admin/statements',
    surface: 'management',
    permission: 'analytics.read',
    summary:
      'Get requests, tokens and cost of a month by team or by the values of a label, as JSON or as a CSV file',
    request: { query },
    response: statement,
    offersFile: ['text/csv'],
  },
});
