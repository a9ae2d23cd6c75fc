import type { analyticsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getDeviationTimeline } from './get-deviation-timeline.ts';
import { getToday, getUsageFigures } from './get-usage-figures.ts';
import {
  listDailyRefusals,
  listDailyUsage,
  listSpendByProvider,
  listTopApiKeys,
  listTopModels,
  listTopTeams,
  listTopUsers,
} from './list-usage.ts';

export function createAnalyticsHandlers(): Handlers<typeof analyticsRoutes> {
  return {
    getUsageFigures: (ctx, { query }) => getUsageFigures(ctx, query),
    listDailyUsage: (ctx, { query }) => listDailyUsage(ctx, query),
    listTopUsers: (ctx, { query }) => listTopUsers(ctx, query),
    listTopModels: (ctx, { query }) => listTopModels(ctx, query),
    listTopTeams: (ctx, { query }) => listTopTeams(ctx, query),
    listTopApiKeys: (ctx, { query }) => listTopApiKeys(ctx, query),
    listSpendByProvider: (ctx, { query }) => listSpendByProvider(ctx, query),
    listDailyRefusals: (ctx, { query }) => listDailyRefusals(ctx, query),
    getDeviationTimeline: (ctx, { query }) => getDeviationTimeline(ctx, query),
    getToday: (ctx) => getToday(ctx),
  };
}
