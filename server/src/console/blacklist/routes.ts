import type { blacklistRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { addBlacklistEntry } from './add.ts';
import { checkBlacklist } from './check.ts';
import { exportBlacklist } from './export.ts';
import { listBlacklist } from './list.ts';
import { removeBlacklistEntry } from './remove.ts';
import { getBlacklistSummary, listEnabledModels } from './summarize.ts';

export function createBlacklistHandlers(): Handlers<typeof blacklistRoutes> {
  return {
    listBlacklist: (ctx) => listBlacklist(ctx),
    exportBlacklist: (ctx, { query }) => exportBlacklist(ctx, query),
    addBlacklistEntry: (ctx, { body }) => addBlacklistEntry(ctx, body),
    removeBlacklistEntry: (ctx, { params }) => removeBlacklistEntry(ctx, params.id),
    checkBlacklist: (ctx, { body }) => checkBlacklist(ctx, body),
    getBlacklistSummary: (ctx) => getBlacklistSummary(ctx),
    listEnabledModels: (ctx) => listEnabledModels(ctx),
  };
}
