import type { analyticsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { getDeviationTimeline } from './get-deviation-timeline.ts';
import { getToday, getUsageFigures } from './get-usage-figures.ts';
import {
  listDailyRefusals,
  listDailyUsage,
  listSpendByProvider,
  listTopApiKeys,
  listTopLabels,
  listTopModels,
  listTopTeams,
  listTopUsers,
  listUsedLabels,
} from './list-usage.ts';

export function createAnalyticsHandlers(): Handlers<typeof analyticsRoutes> {
  return {
    getUsageFigures: read(getUsageFigures, ({ query }) => query),
    listDailyUsage: read(listDailyUsage, ({ query }) => query),
    listTopUsers: read(listTopUsers, ({ query }) => query),
    listTopModels: read(listTopModels, ({ query }) => query),
    listTopTeams: read(listTopTeams, ({ query }) => query),
    listTopLabels: read(listTopLabels, ({ query }) => query),
    listUsedLabels: read(listUsedLabels, ({ query }) => query),
    listTopApiKeys: read(listTopApiKeys, ({ query }) => query),
    listSpendByProvider: read(listSpendByProvider, ({ query }) => query),
    listDailyRefusals: read(listDailyRefusals, ({ query }) => query),
    getDeviationTimeline: read(getDeviationTimeline, ({ query }) => query),
    getToday: read(getToday),
  };
}
