import type { logsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { exportLogs } from './export.ts';
import { countLogs, getLog, getLogBody, getLogFacets, listLogs } from './read.ts';
import { getLogTotals } from './totals.ts';

export function createLogsHandlers(): Handlers<typeof logsRoutes> {
  return {
    listLogs: (ctx, { query }) => listLogs(ctx, query),
    countLogs: (ctx, { query }) => countLogs(ctx, query),
    getLogTotals: (ctx, { query }) => getLogTotals(ctx, query),
    getLogFacets: (ctx, { query }) => getLogFacets(ctx, query),
    exportLogs: (ctx, { query }) => exportLogs(ctx, query),
    getLog: (ctx, { params }) => getLog(ctx, params.id),
    getLogBody: (ctx, { params }) => getLogBody(ctx, params.id),
  };
}
