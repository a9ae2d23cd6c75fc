import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { exportFormats, exportMediaTypes } from '../exports.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { id, idParams, instant, requestId } from '../ids.ts';
import { logStatuses } from '../log-query/log-query.ts';
import { spend, usd } from '../money.ts';
import { pageQuery, pageSkip } from '../pagination.ts';
import { apiKeyScopes, permissions, roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';
import { logEntry } from './logs.ts';
import { assignmentStatuses, taskCategories, taskDifficulties } from './tasks.ts';

/** The score is current, from 0 to 1. */
export const userStats = z.object({
  total_tokens_used: z.number(),
  current_deviation_score: z.number(),
  total_requests: z.number(),
  tokens_today: z.number(),
  requests_today: z.number(),
  active_tasks: z.number().int(),
  completed_tasks: z.number().int(),
  ...spend,
});

export type UserStats = z.infer<typeof userStats>;

export const userDailyUsage = z.object({
  date: z.iso.date(),
  tokens: z.number(),
  requests: z.number(),
  cost_usd: usd,
});

export type UserDailyUsage = z.infer<typeof userDailyUsage>;

export const hiddenForecasts = ['no_quota', 'reached', 'too_few_days', 'unsteady'] as const;

/** In the tenant's time zone. `null` if the quota lasts until the end of the month. */
const forecastDay = z.iso.date().nullable();

/** Forecast based on the last four weeks. */
export const userForecast = z.object({
  forecast: z
    .object({
      used: z.number(),
      limit: z.number(),
      reaches_on: forecastDay,
      /** Range of `reaches_on` if the usage is higher or lower than expected by `error`. */
      earliest: forecastDay,
      latest: forecastDay,
      last_day: z.iso.date(),
      /** Tokens expected by the last day of the month. */
      used_by_end: z.number(),
      /** Relative error that four of five earlier weekly forecasts did not exceed, from 0 to 0.5. */
      error: z.number(),
      learned_days: z.number().int(),
    })
    .nullable(),
  hidden_because: z.enum(hiddenForecasts).nullable(),
});

export type UserForecast = z.infer<typeof userForecast>;

/** `id` is the id of the assignment. `token_limit` is `null` if the assignment has no limit. */
export const userTask = z.object({
  id: z.number().int(),
  task_id: z.number().int(),
  task_title: z.string(),
  task_description: z.string(),
  task_category: z.enum(taskCategories),
  task_difficulty: z.enum(taskDifficulties),
  status: z.enum(assignmentStatuses),
  is_task_active: z.boolean(),
  /** Whether requests that name no task count toward the task. */
  is_dummy_task: z.boolean(),
  tokens_used: z.number(),
  token_limit: z.number().nullable(),
  ...spend,
  estimated_hours: z.number(),
  progress_notes: z.string(),
  assigned_at: instant,
  completion_date: instant.nullable(),
});

export type UserTask = z.infer<typeof userTask>;

export const userProfile = z.object({
  name: z.string(),
  email: z.string(),
  created_at: instant,
  last_login: instant.nullable(),
  total_tokens_used: z.number(),
  current_deviation_score: z.number(),
  role: z.object({ name: z.enum(roleNames), permissions: z.array(z.enum(permissions)) }),
});

export type UserProfile = z.infer<typeof userProfile>;

export const updateProfileBody = z.strictObject({
  name: z
    .string('Name is required')
    .trim()
    .min(1, 'Name is required')
    .max(200, 'Name must be at most 200 characters')
    .refine(isPlainLine, notPlainLine('Name')),
});

export const progressBody = z.strictObject({
  progress_notes: z.string().max(10_000, 'Progress notes must be at most 10,000 characters'),
});

export const ownApiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  masked_key: z.string(),
  is_active: z.boolean(),
  is_expired: z.boolean(),
  scopes: z.array(z.enum(apiKeyScopes)),
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  ...spend,
});

export type OwnApiKey = z.infer<typeof ownApiKey>;

const ownLogFilters = {
  task_id: id.optional(),
  status: z.enum(logStatuses).optional(),
  /** Days are in the tenant's time zone. Used only if both are given. */
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  search: z.string().trim().max(200).optional(),
};

interface Days {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

const areDaysInOrder = ({ start_date: from, end_date: to }: Days) => !from || !to || from <= to;
const reversedDays = { path: ['end_date'], message: 'The end date must not be before the start date' };

const own = { surface: 'management', permission: 'account.read' } as const;

export const portalRoutes = defineRoutes({
  getUserStats: {
    ...own,
    method: 'GET',
    path: '/user/stats',
    summary: "Get the caller's usage and deviation score",
    response: userStats,
  },
  listUserDailyUsage: {
    ...own,
    method: 'GET',
    path: '/user/daily-usage',
    summary: "Get the caller's tokens and requests per day, in the tenant's time zone",
    request: { query: z.strictObject({ days: decimalNumber(z.int().min(1).max(90)).default(30) }) },
    response: z.array(userDailyUsage),
  },
  getUserForecast: {
    ...own,
    method: 'GET',
    path: '/user/forecast',
    summary:
      'Forecast when the caller reaches their monthly quota; omitted if earlier forecasts were inaccurate',
    response: userForecast,
  },
  listUserLogs: {
    ...own,
    method: 'GET',
    path: '/user/logs',
    summary: "List the caller's own requests, newest first; the total is in X-Total-Count",
    request: {
      query: z
        .strictObject({ ...ownLogFilters, ...pageQuery(50), before: requestId.optional() })
        .refine(areDaysInOrder, reversedDays),
    },
    response: z.array(logEntry),
  },
  exportUserLogs: {
    ...own,
    method: 'GET',
    path: '/user/logs/export',
    summary: "Export the caller's own requests that match the filters; all of them unless `limit` is given",
    request: {
      query: z
        .strictObject({
          ...ownLogFilters,
          skip: pageSkip.default(0),
          limit: decimalNumber(z.int().min(1)).optional(),
          format: z.enum(exportFormats).default('csv'),
        })
        .refine(areDaysInOrder, reversedDays),
    },
    response: z.string(),
    download: exportMediaTypes,
  },
  listUserTasks: {
    ...own,
    method: 'GET',
    path: '/user/tasks',
    summary: "List the caller's assignments with the usage of each, newest first",
    response: z.array(userTask),
  },
  updateTaskProgress: {
    ...own,
    method: 'PUT',
    path: '/user/tasks/{id}/progress',
    summary: "Set the notes of one of the caller's assignments",
    request: { params: idParams, body: progressBody },
    response: userTask,
  },
  completeTask: {
    ...own,
    method: 'PATCH',
    path: '/user/tasks/{id}/complete',
    summary: "Complete one of the caller's active assignments",
    request: { params: idParams, body: z.strictObject({}).optional() },
    response: userTask,
  },
  getUserProfile: {
    ...own,
    method: 'GET',
    path: '/user/profile',
    summary: "Get the caller's profile",
    response: userProfile,
  },
  updateUserProfile: {
    ...own,
    method: 'PUT',
    path: '/user/profile',
    summary: "Change the caller's name",
    request: { body: updateProfileBody },
    response: userProfile,
  },
  exportUserData: {
    ...own,
    method: 'GET',
    path: '/user/export',
    summary:
      'Export all stored data of the caller as one JSON file: profile, keys without secrets, tasks, days, requests, chats',
    response: z.string(),
    download: ['application/json'],
  },
  listOwnApiKeys: {
    ...own,
    method: 'GET',
    path: '/auth/api-keys',
    summary: "Get the caller's API key without its secret; empty if there never was one",
    response: z.object({
      api_keys: z.array(ownApiKey),
      /** Whether the tenant lets users replace their own key. */
      may_regenerate: z.boolean(),
    }),
  },
});
