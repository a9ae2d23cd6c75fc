import type { analyticsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getDeviationTimeline } from './get-deviation-timeline.ts';
import { getToday } from './get-today.ts';
import { getUsageFigures } from './get-usage-figures.ts';
import { listDailyRefusals } from './list-daily-refusals.ts';
import { listDailyUsage } from './list-daily-usage.ts';
import { listSpendByProvider } from './list-spend-by-provider.ts';
import { listTopApiKeys } from './list-top-api-keys.ts';
import { listTopModels } from './list-top-models.ts';
import { listTopUsers } from './list-top-users.ts';

export function createAnalyticsHandlers(): Handlers<typeof analyticsRoutes> {
  return {
    getUsageFigures: (ctx, { query }) => getUsageFigures(ctx, query),
    listDailyUsage: (ctx, { query }) => listDailyUsage(ctx, query),
    listTopUsers: (ctx, { query }) => listTopUsers(ctx, query),
    listTopModels: (ctx, { query }) => listTopModels(ctx, query),
    listTopApiKeys: (ctx, { query }) => listTopApiKeys(ctx, query),
    listSpendByProvider: (ctx, { query }) => listSpendByProvider(ctx, query),
    listDailyRefusals: (ctx, { query }) => listDailyRefusals(ctx, query),
    getDeviationTimeline: (ctx, { query }) => getDeviationTimeline(ctx, query),
    getToday: (ctx) => getToday(ctx),
  };
}
