import { z } from 'zod';
import { flag } from '../flag.ts';
import { id, instant, requestId } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { deviationReceipt, intentNames } from './governance.ts';

export const logStatuses = ['success', 'error', 'client_closed', 'refused'] as const;

/** Any status but refused: the requests that count as usage. */
export const admittedLogs = 'admitted' as const;

/** How a row's token counts came to be: told by the provider, counted on what was received, or not known. */
export const usageSources = ['provider', 'partial', 'estimated', 'capped', 'none'] as const;

export const logEntry = z.object({
  id: requestId,
  timestamp: instant,
  user_id: z.number().int().nullable(),
  user_name: z.string().nullable(),
  user_email: z.string().nullable(),
  task_id: z.number().int().nullable(),
  task_title: z.string().nullable(),
  prompt: z.string().nullable(),
  response: z.string().nullable(),
  model: z.string().nullable(),
  status: z.enum(logStatuses),
  http_status: z.number().int(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  response_time_ms: z.number(),
  first_byte_ms: z.number().nullable(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  openai_tokens_used: z.number().int(),
  usage_source: z.enum(usageSources),
  is_stream: z.boolean(),
  provider_key: z.string().nullable(),
  provider_instance_name: z.string().nullable(),
  api_key_name: z.string().nullable(),
  client_request_id: z.string().nullable(),
  intent_classification: z.string().nullable(),
  confidence_score: z.number().nullable(),
  /** What an administrator says that it asked for. */
  corrected_intent: z.enum(intentNames).nullable(),
  user_score_before: z.number().nullable(),
  user_score_after: z.number().nullable(),
  deviation_score_delta: z.number().nullable(),
  /** What the change is made of; the lines add up to it. */
  deviation_receipts: z.array(deviationReceipt).nullable(),
});

export type LogEntry = z.infer<typeof logEntry>;

export const logFilters = {
  user_id: id.optional(),
  task_id: id.optional(),
  status: z.enum([...logStatuses, admittedLogs]).optional(),
  /** `not_classified` finds those without an intent. */
  intent_classification: z.string().max(50).optional(),
  model: z.string().max(200).optional(),
  provider_key: z.string().max(100).optional(),
  team_id: id.optional(),
  error_code: z.string().max(100).optional(),
  /** Whether it was asked with an API key, or from the console. */
  by_api_key: flag.optional(),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  search: z.string().max(200).optional(),
};

export const logsRoutes = defineRoutes({
  listLogs: {
    method: 'GET',
    path: '/admin/logs',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Requests, newest first; prompt and response are cut to 2,000 characters',
    request: { query: z.strictObject({ ...logFilters, ...pageQuery(100) }) },
    response: z.array(logEntry),
  },
  getLog: {
    method: 'GET',
    path: '/admin/logs/{id}',
    surface: 'management',
    permission: 'logs.read',
    summary: 'One request with its whole prompt and response',
    request: { params: z.object({ id: requestId }) },
    response: logEntry,
  },
});
