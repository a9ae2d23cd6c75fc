import type { portalRoutes } from '@sluice/contract';
import { readApiKeyStatus } from '#console/api-keys/get-status.ts';
import { exportUserLogs, listUserLogs } from '#console/logs/user-logs.ts';
import { getSettings } from '#console/settings/settings.ts';
import { completeTask, listUserTasks, updateTaskProgress } from '#console/tasks/user-tasks.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, report, write } from '#http/verbs.ts';
import { exportUserData } from './export-data.ts';
import { getUserForecast } from './forecast.ts';
import { getUserProfile, updateUserProfile } from './profile.ts';
import { getUserStats, listUserDailyUsage } from './usage.ts';

export function createPortalHandlers(): Handlers<typeof portalRoutes> {
  return {
    getUserStats: read(getUserStats),
    listUserDailyUsage: report(listUserDailyUsage, ({ query }) => query.days),
    getUserForecast: read(getUserForecast),
    listUserLogs: read(listUserLogs, ({ query }) => query),
    exportUserLogs: outside('streams a file', (ctx, { query }) => exportUserLogs(ctx, query)),
    listUserTasks: read(listUserTasks),
    updateTaskProgress: write(updateTaskProgress, ({ params, body }) => ({
      assignmentId: params.id,
      progressNotes: body.progress_notes,
    })),
    completeTask: write(completeTask, ({ params }) => params.id),
    getUserProfile: read(getUserProfile),
    updateUserProfile: write(updateUserProfile, ({ body }) => body.name),
    exportUserData: outside('streams a file', (ctx) => exportUserData(ctx)),
    listOwnApiKeys: read(async (tx, { tenantId, userId }) => {
      const { api_key_status: key } = await readApiKeyStatus(tx, tenantId, userId);
      const { users_regenerate_keys: mayRegenerate } = await getSettings(tx, { tenantId });
      return { api_keys: key ? [key] : [], may_regenerate: mayRegenerate };
    }),
  };
}
