import type { statementsRoutes } from '@sluice/contract';
import { FileAnswer, type Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import { exportStatement, getStatement } from './read.ts';

export function createStatementsHandlers(): Handlers<typeof statementsRoutes> {
  return {
    getStatement: outside('streams a file', async (ctx, { query }) =>
      query.format === 'csv'
        ? new FileAnswer(await exportStatement(ctx, query))
        : ctx.inTenant((tx) => getStatement(tx.reports, ctx.principal, query)),
    ),
  };
}
