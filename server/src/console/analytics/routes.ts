import type { analyticsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { report } from '#http/verbs.ts';
import { getDeviationTimeline } from './get-deviation-timeline.ts';
import { type CountUsersNearLimit, getToday, getUsageFigures } from './get-usage-figures.ts';
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

export function createAnalyticsHandlers(deps: {
  readonly countUsersNearLimit: CountUsersNearLimit;
}): Handlers<typeof analyticsRoutes> {
  return {
    getUsageFigures: report(getUsageFigures, ({ query }) => query),
    listDailyUsage: report(listDailyUsage, ({ query }) => query),
    listTopUsers: report(listTopUsers, ({ query }) => query),
    listTopModels: report(listTopModels, ({ query }) => query),
    listTopTeams: report(listTopTeams, ({ query }) => query),
    listTopLabels: report(listTopLabels, ({ query }) => query),
    listUsedLabels: report(listUsedLabels, ({ query }) => query),
    listTopApiKeys: report(listTopApiKeys, ({ query }) => query),
    listSpendByProvider: report(listSpendByProvider, ({ query }) => query),
    listDailyRefusals: report(listDailyRefusals, ({ query }) => query),
    getDeviationTimeline: report(getDeviationTimeline, ({ query }) => query),
    getToday: report((tx, author) => getToday(tx, author, deps.countUsersNearLimit)),
  };
}
