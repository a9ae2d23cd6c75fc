import type { shadowRunsRoutes } from '@sluice/contract';
import { FileAnswer, type Handlers } from '#http/console-route.ts';
import { answer, outside, read, write } from '#http/verbs.ts';
import {
  deleteShadowRun,
  exportShadowRequests,
  getShadowRun,
  listShadowRequests,
  listShadowRuns,
} from './read.ts';

export function createShadowRunsHandlers(): Handlers<typeof shadowRunsRoutes> {
  return {
    listShadowRuns: read(listShadowRuns),
    getShadowRun: read(getShadowRun, ({ params }) => params.id),
    listShadowRequests: outside('streams a file', async (ctx, { params, query: { format, ...query } }) => {
      const given = { runId: params.id, ...query };
      if (format === 'csv') return new FileAnswer(await exportShadowRequests(ctx, given));
      return answer(ctx, await ctx.inTenant((tx) => listShadowRequests(tx, ctx.principal, given)));
    }),
    deleteShadowRun: write(deleteShadowRun, ({ params }) => params.id),
  };
}
