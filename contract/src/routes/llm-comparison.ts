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

/** What the answers of a blind comparison are called, in the order in which one person sees them. */
export const answerLabels = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

/** A model with fewer votes has no win rate that would say anything. */
export const winRateVotesMin = 10;

/** What still waits after this time is given up: by the page, and by a job where the node is gone that ran it. */
export const comparisonTimeoutMs = 5 * 60_000;

const noPrompt = 'Please enter a prompt';
const tooFewModels = 'Please add at least 2 LLM + Model combinations to compare';

export const createComparisonBody = z.strictObject({
  prompt: z
    .string(noPrompt)
    .refine((text) => text.trim() !== '', noPrompt)
    .max(comparisonPromptMax, 'A prompt has at most 100,000 characters'),
  provider_models: z
    .array(
      z.strictObject({
        provider_registry_id: idOr('Please select a provider'),
        model_name: z
          .string('Please select a model')
          .trim()
          .min(1, 'Please select a model')
          .max(200, 'A model has at most 200 characters'),
      }),
      tooFewModels,
    )
    .min(comparedModelsMin, tooFewModels)
    .max(comparedModelsMax, 'Please compare at most 6 LLM + Model combinations'),
  /** Whether nobody is told which model gave which answer before they have voted. */
  is_blind: z.boolean().default(false),
});

/** Which answer is the best, or that none is; `skipped` shows the models and counts for nothing. */
export const comparisonVote = z.enum(
  [...answerLabels, 'tie', 'all_bad', 'skipped'],
  'Please vote for an answer',
);

export type ComparisonVote = z.infer<typeof comparisonVote>;

export const voteOnComparisonBody = z.strictObject({ vote: comparisonVote });

/**
 * While it is `pending`, `response_text` is what has come so far, and cost, time and tokens are not known. Before the
 * vote on a blind comparison all that could tell of the model is `null`, and `id` is one of that time alone.
 */
export const comparisonResult = z.object({
  id: z.uuid(),
  /** What the caller's vote calls it; `null` where nothing is blind. */
  label: z.enum(answerLabels).nullable(),
  provider_registry_id: z.number().int().nullable(),
  provider_name: z.string().nullable(),
  model_name: z.string().nullable(),
  status: z.enum(comparisonResultStatuses),
  response_text: z.string().nullable(),
  error_message: z.string().nullable(),
  /** That of the log row; `null` also where no price is known. */
  cost: usd.nullable(),
  response_time_ms: z.number().nullable(),
  total_tokens: z.number().int().nullable(),
  /** Of its row in the log; `null` before it is sent. */
  request_id: requestId.nullable(),
});

export type ComparisonResult = z.infer<typeof comparisonResult>;

/**
 * `partial` when all have ended and some have failed. `total_cost` is the sum of the costs that are known, and `null`
 * while the models are not told.
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
  /** Whether the caller is told which model gave which answer. */
  is_revealed: z.boolean(),
  /** The caller's own. */
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

/** How often people have found a model the best, by the blind votes of the tenant. */
export const modelWinRate = z.object({
  provider_registry_id: z.number().int(),
  provider_name: z.string(),
  model_name: z.string(),
  votes: z.number().int(),
  wins: z.number().int(),
  ties: z.number().int(),
  /** (wins + ties / 2) / votes. */
  win_rate: z.number(),
  /** Wilson's interval of 95 % around it. */
  win_rate_low: z.number(),
  win_rate_high: z.number(),
  /** Its answers that were voted on, and what they cost by the log; `null` where no price is known. */
  answers: z.number().int(),
  total_cost: usd.nullable(),
  average_cost_per_answer: usd.nullable(),
});

export type ModelWinRate = z.infer<typeof modelWinRate>;

const filters = {
  status: z.enum(comparisonStatuses).optional(),
  /** Found in the prompt. */
  search: z.string().trim().max(200).optional(),
};

const own = { surface: 'management', permission: 'completions.create' } as const;

export const llmComparisonRoutes = defineRoutes({
  createComparison: {
    ...own,
    method: 'POST',
    path: '/compare',
    summary: 'Ask several models the same; answered at once, the results come as the models answer',
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
    summary: "The caller's comparisons, newest first; texts are cut to 200 characters",
    request: { query: z.strictObject({ ...filters, ...offsetQuery(20) }) },
    response: z.array(comparison),
  },
  getComparisonStats: {
    ...own,
    method: 'GET',
    path: '/compare/stats',
    summary: 'How many comparisons the caller has made, and what they cost',
    response: comparisonStats,
  },
  listAllComparisons: {
    method: 'GET',
    path: '/compare/admin/all',
    surface: 'management',
    permission: 'logs.read',
    summary: "Everybody's comparisons, newest first; texts are cut to 200 characters",
    request: { query: z.strictObject({ user_id: id.optional(), ...filters, ...offsetQuery(50) }) },
    response: z.array(comparison),
  },
  getComparison: {
    ...own,
    method: 'GET',
    path: '/compare/{id}',
    summary: "One comparison with its whole texts; another person's for administrators alone",
    request: { params: z.object({ id: z.uuid() }) },
    response: comparison,
  },
  voteOnComparison: {
    ...own,
    method: 'POST',
    path: '/compare/{id}/vote',
    summary: 'Says which answer of a blind comparison is the best, once, and is told which model gave which',
    request: { params: z.object({ id: z.uuid() }), body: voteOnComparisonBody },
    response: comparison,
    inOwnTenant: true,
  },
  listWinRates: {
    method: 'GET',
    path: '/compare/win-rates',
    surface: 'management',
    permission: 'logs.read',
    summary:
      'How often each model was found the best, by all blind votes of the tenant; the most votes first',
    response: z.array(modelWinRate),
  },
});
