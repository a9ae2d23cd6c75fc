import type { statementsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read } from '#http/verbs.ts';
import { exportStatement, getStatement } from './read.ts';

export function createStatementsHandlers(): Handlers<typeof statementsRoutes> {
  return {
    getStatement: read(getStatement, ({ params, query }) => ({ ...params, ...query })),
    exportStatement: outside('streams a file', (ctx, { params, query }) =>
      exportStatement(ctx, { ...params, ...query }),
    ),
  };
}
