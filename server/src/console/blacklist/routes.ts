import type { blacklistRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
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
    listBlacklist: read(listBlacklist),
    exportBlacklist: outside('streams a file', (ctx, { query }) => exportBlacklist(ctx, query)),
    addBlacklistEntry: write(addBlacklistEntry, ({ body }) => body),
    removeBlacklistEntry: write(removeBlacklistEntry, ({ params }) => params.id),
    checkBlacklist: read(checkBlacklist, ({ body }) => body),
    getBlacklistSummary: read(getBlacklistSummary),
    listEnabledModels: read(listEnabledModels),
  };
}
