import { shadowDifferences, shadowSources } from '@sluice/contract';
import {
  bigint,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true });
const amount = (name: string) => bigint(name, { mode: 'bigint' });

/** Sums over the requests of a run, as returned by `sum_shadow_requests`. Costs are decimal strings. */
export interface ShadowRunSums {
  readonly requests: number;
  readonly none: number;
  readonly refused_here: number;
  readonly refused_there: number;
  readonly other_model: number;
  readonly other_cost: number;
  readonly not_compared: number;
  readonly cost_nano_usd: string;
  readonly other_cost_nano_usd: string;
  readonly first_request_at: string | null;
  readonly last_request_at: string | null;
}

/** Evaluations of another gateway's requests by this installation's rules. The requests are not served. */
export const shadowRuns = pgTable('shadow_runs', {
  id: integer().generatedAlwaysAsIdentity().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  name: text().notNull(),
  source: text({ enum: shadowSources }).notNull(),
  comparedWith: text('compared_with'),
  startedAt: instant('started_at').notNull().defaultNow(),
  /** `null` while the command is running. */
  endedAt: instant('ended_at'),
  /** Set by a trigger when the run ends; `null` before. */
  sums: jsonb().$type<ShadowRunSums>(),
});

/** Texts are not stored. */
export const shadowRequests = pgTable(
  'shadow_requests',
  {
    tenantId: integer('tenant_id').notNull(),
    runId: integer('run_id').notNull(),
    position: integer().notNull(),
    requestedAt: instant('requested_at').notNull(),
    userId: integer('user_id'),
    apiKeyId: integer('api_key_id'),
    path: text().notNull(),
    modelRequested: text('model_requested').notNull(),
    /** `null` if the request would be served. */
    errorCode: text('error_code'),
    message: text(),
    llmProviderId: integer('llm_provider_id'),
    model: text(),
    intent: text(),
    scoreAfter: doublePrecision('score_after'),
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    costNanoUsd: amount('cost_nano_usd'),
    otherOutcome: text('other_outcome', { enum: ['served', 'refused', 'failed'] }),
    otherRequestId: text('other_request_id'),
    otherModel: text('other_model'),
    otherCostNanoUsd: amount('other_cost_nano_usd'),
    difference: text({ enum: shadowDifferences }).notNull(),
  },
  ({ runId, position }) => [primaryKey({ columns: [runId, position] })],
);
