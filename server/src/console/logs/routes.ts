import type { logsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getLog } from './get.ts';
import { listLogs } from './list.ts';

export function createLogsHandlers(): Handlers<typeof logsRoutes> {
  return {
    listLogs: (ctx, { query }) => listLogs(ctx, query),
    getLog: (ctx, { params }) => getLog(ctx, params.id),
  };
}
