import type { llmComparisonRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { createComparison } from './create.ts';
import {
  getComparison,
  getComparisonStats,
  listAllComparisons,
  listComparisons,
  listWinRates,
} from './read.ts';
import type { ComparisonRuns } from './runs.ts';
import { voteOnComparison } from './vote.ts';

export function createLlmComparisonHandlers({
  runs,
}: {
  readonly runs: ComparisonRuns;
}): Handlers<typeof llmComparisonRoutes> {
  return {
    createComparison: (ctx, { body }) => createComparison(runs, ctx, body),
    listComparisons: (ctx, { query }) => listComparisons(ctx, query),
    getComparisonStats: (ctx) => getComparisonStats(ctx),
    listAllComparisons: (ctx, { query }) => listAllComparisons(ctx, query),
    getComparison: (ctx, { params }) => getComparison(ctx, params.id),
    voteOnComparison: (ctx, { params, body }) => voteOnComparison(ctx, params.id, body.vote),
    listWinRates: (ctx) => listWinRates(ctx),
  };
}
