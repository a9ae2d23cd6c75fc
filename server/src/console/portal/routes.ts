import type { portalRoutes } from '@sluice/contract';
import { readApiKeyStatus } from '#console/api-keys/get-status.ts';
import { exportUserLogs, listUserLogs } from '#console/logs/user-logs.ts';
import { completeTask, listUserTasks, updateTaskProgress } from '#console/tasks/user-tasks.ts';
import type { Handlers } from '#http/console-route.ts';
import { exportUserData } from './export-data.ts';
import { getUserForecast } from './forecast.ts';
import { getUserProfile, updateUserProfile } from './profile.ts';
import { getUserStats, listUserDailyUsage } from './usage.ts';

export function createPortalHandlers(): Handlers<typeof portalRoutes> {
  return {
    getUserStats: (ctx) => getUserStats(ctx),
    listUserDailyUsage: (ctx, { query }) => listUserDailyUsage(ctx, query.days),
    getUserForecast: (ctx) => getUserForecast(ctx),
    listUserLogs: (ctx, { query }) => listUserLogs(ctx, query),
    exportUserLogs: (ctx, { query }) => exportUserLogs(ctx, query),
    listUserTasks: (ctx) => listUserTasks(ctx),
    updateTaskProgress: (ctx, { params, body }) => updateTaskProgress(ctx, params.id, body.progress_notes),
    completeTask: (ctx, { params }) => completeTask(ctx, params.id),
    getUserProfile: (ctx) => getUserProfile(ctx),
    updateUserProfile: (ctx, { body }) => updateUserProfile(ctx, body.name),
    exportUserData: (ctx) => exportUserData(ctx),
    listOwnApiKeys: async ({ principal: { tenantId, userId }, inTenant }) => {
      const { api_key_status: key } = await inTenant((tx) => readApiKeyStatus(tx, tenantId, userId));
      return { api_keys: key ? [key] : [] };
    },
  };
}
