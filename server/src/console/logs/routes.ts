import type { logsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read } from '#http/verbs.ts';
import { exportLogs } from './export.ts';
import { countLogs, getLog, getLogBody, getLogFacets, listLogs } from './read.ts';

export function createLogsHandlers(): Handlers<typeof logsRoutes> {
  return {
    listLogs: read(listLogs, ({ query }) => query),
    countLogs: read(countLogs, ({ query }) => query),
    getLogFacets: read(getLogFacets, ({ query }) => query),
    exportLogs: outside('streams a file', (ctx, { query }) => exportLogs(ctx, query)),
    getLog: read(getLog, ({ params }) => params.id),
    getLogBody: read(getLogBody, ({ params }) => params.id),
  };
}
