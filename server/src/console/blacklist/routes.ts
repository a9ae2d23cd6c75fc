import type { blacklistRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import {
  addBlacklistEntry,
  checkBlacklist,
  exportBlacklist,
  getBlacklistSummary,
  listBlacklist,
  listEnabledModels,
  removeBlacklistEntry,
} from './entries.ts';

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
