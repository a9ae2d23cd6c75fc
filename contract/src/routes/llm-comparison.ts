import { z } from 'zod';
import { id, idOr, instant, requestId } from '../ids.ts';
import { usd } from '../money.ts';
import { offsetQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

export const comparisonStatuses = ['pending', 'completed', 'partial'] as const;
export const comparisonResultStatuses = ['pending', 'completed', 'failed'] as const;

export const comparisonVerdicts = ['best', 'tie', 'all_bad', 'skipped'] as const;

export const comparedModelsMin = 2;
export const comparedModelsMax = 6;
export const comparisonPromptMax = 100_000;

/** Listed in display order. */
export const answerLabels = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

/** A win rate is meaningful from this number of votes. */
export const winRateVotesMin = 10;

/**
 * In milliseconds. Nodes end pending responses shortly before this timeout. A job ends those of stopped nodes after it.
 */
export const comparisonTimeoutMs = 5 * 60_000;

const noPrompt = 'Please enter a prompt';
const tooFewModels = 'Please add at least 2 LLM + Model combinations to compare';

export const createComparisonBody = z.strictObject({
  prompt: z
    .string(noPrompt)
    .refine((text) => text.trim() !== '', noPrompt)
    .max(comparisonPromptMax, 'A prompt must be at most 100,000 characters'),
  provider_models: z
    .array(
      z.strictObject({
        provider_registry_id: idOr('Please select a provider'),
        model_name: z
          .string('Please select a model')
          .trim()
          .min(1, 'Please select a model')
          .max(200, 'A model name must be at most 200 characters'),
      }),
      tooFewModels,
    )
    .min(comparedModelsMin, tooFewModels)
    .max(comparedModelsMax, 'Please compare at most 6 LLM + Model combinations'),
  /** Whether the models stay hidden until the user has voted. */
  is_blind: z.boolean().default(false),
});

/** `skipped` reveals the models and is not counted. */
export const comparisonVote = z.enum(
  [...answerLabels, 'tie', 'all_bad', 'skipped'],
  'Please vote for an answer',
);

export type ComparisonVote = z.infer<typeof comparisonVote>;

export const voteOnComparisonBody = z.strictObject({ vote: comparisonVote });

/**
 * While `pending`, `response_text` is partial, and cost, time and tokens are unknown. Before the vote on a blind
 * comparison, everything that could reveal the model is `null`, and `id` is temporary.
 */
export const comparisonResult = z.object({
  id: z.uuid(),
  /** Used for the vote. `null` if the comparison is not blind. */
  label: z.enum(answerLabels).nullable(),
  provider_registry_id: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  model_name: z.string().nullable(),
  status: z.enum(comparisonResultStatuses),
  response_text: z.string().nullable(),
  error_message: z.string().nullable(),
  /** Taken from the log row. Also `null` if no price is known. */
  cost: usd.nullable(),
  response_time_ms: z.number().nullable(),
  total_tokens: z.number().int().nullable(),
  /** Id of the log row. `null` before the request is sent. */
  request_id: requestId.nullable(),
});

export type ComparisonResult = z.infer<typeof comparisonResult>;

/**
 * `partial` means that all responses have finished and some failed. `total_cost` adds up all known costs. `null`
 * while the models are hidden.
 */
export const comparison = z.object({
  id: z.uuid(),
  user_id: z.number().int(),
  user_name: z.string(),
  prompt: z.string(),
  status: z.enum(comparisonStatuses),
  created_at: instant,
  providers_count: z.number().int(),
  total_cost: usd.nullable(),
  is_blind: z.boolean(),
  /** Whether the models are revealed to the caller. */
  is_revealed: z.boolean(),
  vote: comparisonVote.nullable(),
  results: z.array(comparisonResult),
});

export type Comparison = z.infer<typeof comparison>;

export const comparisonStats = z.object({
  total_comparisons: z.number().int(),
  total_cost: usd,
  average_cost_per_comparison: usd,
});

export type ComparisonStats = z.infer<typeof comparisonStats>;

export const modelWinRate = z.object({
  provider_registry_id: z.number().int(),
  provider_name: z.string(),
  model_name: z.string(),
  votes: z.number().int(),
  wins: z.number().int(),
  ties: z.number().int(),
  /** (wins + ties / 2) / votes. */
  win_rate: z.number(),
  /** 95% Wilson score interval. */
  win_rate_low: z.number(),
  win_rate_high: z.number(),
  /** Responses that were voted on, and their cost in the log. `null` if no price is known. */
  answers: z.number().int(),
  total_cost: usd.nullable(),
  average_cost_per_answer: usd.nullable(),
});

export type ModelWinRate = z.infer<typeof modelWinRate>;

const filters = {
  status: z.enum(comparisonStatuses).optional(),
  search: z.string().trim().max(200).optional(),
};

const own = { surface: 'management', permission: 'completions.create' } as const;

export const llmComparisonRoutes = defineRoutes({
  createComparison: {
    ...own,
    method: 'POST',
    path: '/compare',
    summary:
      'Send a prompt to several models; returns immediately, and results are added as the models respond',
    request: { body: createComparisonBody },
    response: comparison,
    status: 201,
    idempotent: true,
    inOwnTenant: true,
  },
  listComparisons: {
    ...own,
    method: 'GET',
    path: '/compare',
    summary: "List the caller's comparisons, newest first; texts are truncated to 200 characters",
    request: { query: z.strictObject({ ...filters, ...offsetQuery(20), before: z.uuid().optional() }) },
    response: z.array(comparison),
  },
  getComparisonStats: {
    ...own,
    method: 'GET',
    path: '/compare/stats',
    summary: "Get the number and the cost of the caller's comparisons",
    response: comparisonStats,
  },
  listAllComparisons: {
    method: 'GET',
    path: '/compare/admin/all',
    surface: 'management',
    permission: 'logs.read',
    summary: "List all users' comparisons, newest first; texts are truncated to 200 characters",
    request: {
      query: z.strictObject({
        user_id: id.optional(),
        ...filters,
        ...offsetQuery(50),
        before: z.uuid().optional(),
      }),
    },
    response: z.array(comparison),
  },
  getComparison: {
    ...own,
    method: 'GET',
    path: '/compare/{id}',
    summary: 'Get a comparison with its full texts; comparisons of other users require an administrator',
    request: { params: z.object({ id: z.uuid() }) },
    response: comparison,
  },
  voteOnComparison: {
    ...own,
    method: 'POST',
    path: '/compare/{id}/vote',
    summary: 'Vote for the best response of a blind comparison, once; the response reveals the models',
    request: { params: z.object({ id: z.uuid() }), body: voteOnComparisonBody },
    response: comparison,
    inOwnTenant: true,
  },
  listWinRates: {
    method: 'GET',
    path: '/compare/win-rates',
    surface: 'management',
    permission: 'logs.read',
    summary: "Get each model's win rate over all blind votes of the tenant, most votes first",
    response: z.array(modelWinRate),
  },
});
