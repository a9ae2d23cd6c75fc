import type { llmComparisonRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
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
    createComparison: outside('runs in the background', (ctx, { body }) => createComparison(runs, ctx, body)),
    listComparisons: read(listComparisons, ({ query }) => query),
    getComparisonStats: read(getComparisonStats),
    listAllComparisons: read(listAllComparisons, ({ query }) => query),
    getComparison: read(getComparison, ({ params }) => params.id),
    voteOnComparison: write(voteOnComparison, ({ params, body }) => ({ id: params.id, vote: body.vote })),
    listWinRates: read(listWinRates),
  };
}
