import type { recentUseRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { getRecentUse } from './recent-use.ts';

export function createRecentUseHandlers(): Handlers<typeof recentUseRoutes> {
  return { getRecentUse: read(getRecentUse, ({ query }) => query) };
}
