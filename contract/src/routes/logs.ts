import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { flag } from '../fields.ts';
import { id, ids, instant, requestId } from '../ids.ts';
import { labelFilters } from '../labels.ts';
import { logQueryFilters, logQueryLengthMax, logStatuses } from '../log-query/log-query.ts';
import { parseLogQuery } from '../log-query/parse-log-query.ts';
import { usd } from '../money.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { deviationReceipt, intentNames } from './governance.ts';

/**
 * `full` stores everything, `redacted` everything except secrets and personal data, `metadata` only figures. A change
 * applies to later requests.
 */
export const promptPrivacyModes = ['full', 'redacted', 'metadata'] as const;
export type PromptPrivacy = (typeof promptPrivacyModes)[number];

/** Token counts are reported by the provider, derived from the received response, or unknown. */
export const usageSources = ['provider', 'partial', 'estimated', 'capped', 'none'] as const;

/** Times are in milliseconds. `started_ms` counts from the receipt of the request. */
export const providerCall = z.object({
  provider_instance_name: z.string(),
  provider_key: z.string(),
  model: z.string(),
  started_ms: z.number(),
  /** Time until the provider started to respond or failed. */
  duration_ms: z.number(),
  /** `null` if there was no response. */
  http_status: z.number().int().nullable(),
  /** `null` for a successful call. */
  error_code: z.string().nullable(),
  /** Code of the provider, or of the operating system for a connection failure (`ECONNREFUSED`). */
  cause: z.string().nullable(),
  /** Provider's message, shortened and without secrets. */
  message: z.string().nullable(),
});

export type ProviderCall = z.infer<typeof providerCall>;

/**
 * These kinds of usage are priced separately. `other` is audio, images and 1-hour cache writes, which rows do not
 * itemize.
 */
export const costParts = [
  'input',
  'cache_read',
  'cache_write',
  'output',
  'reasoning',
  'request',
  'other',
] as const;

export const costPart = z.object({
  part: z.enum(costParts),
  /** `null` if the usage is not priced by token or not itemized. */
  tokens: z.number().int().nullable(),
  cost: usd,
});

export type CostPart = z.infer<typeof costPart>;

export const logEntry = z.object({
  id: requestId,
  timestamp: instant,
  user_id: z.number().int().nullable(),
  user_name: z.string().nullable(),
  user_email: z.string().nullable(),
  task_id: z.number().int().nullable(),
  task_title: z.string().nullable(),
  /** Labels when the request was received. `null` if there were none. */
  labels: z.record(z.string(), z.string()).nullable(),
  prompt: z.string().nullable(),
  response: z.string().nullable(),
  /**
   * Present if the prompt and response are truncated because the object storage with the full texts is unavailable.
   * Only in a single request, since lists always truncate texts.
   */
  is_text_cut: z.literal(true).optional(),
  /** `null` once the retention policy has deleted the prompt and response. */
  prompt_privacy: z.enum(promptPrivacyModes).nullable(),
  model_requested: z.string().nullable(),
  model: z.string().nullable(),
  /** Budget that redirected the request to another model. */
  downgraded_by_budget_id: z.number().int().nullable(),
  status: z.enum(logStatuses),
  http_status: z.number().int(),
  /** Example: `model_blacklisted`. */
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  response_time_ms: z.number(),
  first_byte_ms: z.number().nullable(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  openai_tokens_used: z.number().int(),
  /** Tokens that the provider read from its cache. Included in the prompt tokens. */
  cache_read_tokens: z.number().int(),
  /** Included in the completion tokens. */
  reasoning_tokens: z.number().int(),
  usage_source: z.enum(usageSources),
  /** In dollars; `null` if no price is known. */
  cost: usd.nullable(),
  /** The parts add up to `cost`. `null` if no price is known. */
  cost_parts: z.array(costPart).nullable(),
  /** Calls are in order. `null` if there was a single successful call or none. Visible to administrators only. */
  provider_calls: z.array(providerCall).nullable(),
  /** Number of identical rejections that the row represents. */
  repeats: z.number().int(),
  is_stream: z.boolean(),
  provider_key: z.string().nullable(),
  provider_instance_name: z.string().nullable(),
  api_key_name: z.string().nullable(),
  client_request_id: z.string().nullable(),
  intent_classification: z.string().nullable(),
  confidence_score: z.number().nullable(),
  /** Set by an administrator's correction. */
  corrected_intent: z.enum(intentNames).nullable(),
  user_score_before: z.number().nullable(),
  user_score_after: z.number().nullable(),
  deviation_score_delta: z.number().nullable(),
  /** The components add up to the score change. */
  deviation_receipts: z.array(deviationReceipt).nullable(),
});

export type LogEntry = z.infer<typeof logEntry>;

export const logFilters = {
  user_id: id.optional(),
  task_id: id.optional(),
  /** Requests under the grants of these teams. */
  team_id: ids.optional(),
  api_key_id: id.optional(),
  /** Whether the request used an API key or came from the console. */
  by_api_key: flag.optional(),
  /** Days are in the tenant's time zone. Used only if both are given. */
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  ...logQueryFilters,
  /** `cost_center=4711`, or `cost_center` for any value. Matches requests that have all these labels. */
  label: labelFilters.optional(),
  /** Search line such as `status:error model:gpt* user:ann cost>0.01`, combined with the other filters. */
  query: z.string().max(logQueryLengthMax).superRefine(refuseUnreadable).optional(),
};

function refuseUnreadable(line: string, context: z.RefinementCtx): void {
  const { problems, places } = parseLogQuery(line);
  if (problems[0] === undefined) return;
  const start = places[0]?.start ?? 0;
  context.addIssue({
    code: 'custom',
    message: `${problems[0]} It is at character ${start + 1} of the query.`,
  });
}

interface Days {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

const areDaysInOrder = ({ start_date: from, end_date: to }: Days) => !from || !to || from <= to;
const reversedDays = { path: ['end_date'], message: 'The end date must not be before the start date' };

const filtersAlone = z.strictObject(logFilters).refine(areDaysInOrder, reversedDays);

/** Counts rows per value, most frequent first. */
const facet = z.array(z.object({ value: z.string(), count: z.number().int() }));

export const logFacets = z.object({
  /** Counts the newest rows that match the filters, at most 10,000. */
  rows: z.number().int(),
  is_whole: z.boolean(),
  status: facet,
  model: facet,
  provider_key: facet,
  intent_classification: facet,
  error_code: facet,
  /** Values have the form `name=value`. */
  label: facet,
});

export type LogFacets = z.infer<typeof logFacets>;

/** Sums over all requests that match the filters. The export contains the same requests. */
export const logTotals = z.object({
  requests: z.number().int(),
  total_tokens: z.number(),
  cost_usd: usd,
  /** False if more than a million requests match. Only the newest million are then summed. */
  is_exact: z.boolean(),
});

export type LogTotals = z.infer<typeof logTotals>;

/** Includes the totals if the query requests them. */
const logPage = z.union([z.array(logEntry), z.object({ logs: z.array(logEntry), totals: logTotals })]);

export const logsOf = (page: z.infer<typeof logPage>): LogEntry[] => (Array.isArray(page) ? page : page.logs);

/** In bytes. Length and hash always refer to the whole body. */
export const loggedBodyBytesMax = 64 * 1024;

/** Body as sent or as redacted, depending on the privacy mode of the tenant. */
export const logBody = z.object({
  id: requestId,
  /** `null` if the body is not stored. */
  body: z.string().nullable(),
  is_cut: z.boolean(),
  bytes: z.number().int(),
  /** Hexadecimal, to distinguish truncated bodies. `null` if the body is stored completely or not at all. */
  sha256: z.string().nullable(),
  prompt_privacy: z.enum(promptPrivacyModes).nullable(),
});

export type LogBody = z.infer<typeof logBody>;

export const logsRoutes = defineRoutes({
  listLogs: {
    method: 'GET',
    path: '/admin/logs',
    surface: 'management',
    permission: 'logs.read',
    summary: 'List requests, newest first; prompt and response are truncated to 2,000 characters',
    request: {
      query: z
        .strictObject({
          ...logFilters,
          ...pageQuery(100),
          before: requestId.optional(),
          /** If true, returns `{logs, totals}`. */
          with_totals: flag.optional(),
        })
        .refine(areDaysInOrder, reversedDays),
    },
    response: logPage,
  },
  countLogs: {
    method: 'GET',
    path: '/admin/logs/count',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Count the requests that match the filters, up to one million: the size of an export',
    request: { query: filtersAlone },
    response: z.object({ count: z.number().int(), is_exact: z.boolean() }),
  },
  getLogTotals: {
    method: 'GET',
    path: '/admin/logs/totals',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Get requests, tokens and cost of all requests that match the filters, up to one million',
    request: { query: filtersAlone },
    response: logTotals,
  },
  getLogFacets: {
    method: 'GET',
    path: '/admin/logs/facets',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Get the distribution of the newest 10,000 matching requests over statuses, models and reasons',
    request: { query: filtersAlone },
    response: logFacets,
  },
  exportLogs: {
    method: 'GET',
    path: '/admin/logs/export',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Export all requests that match the filters, newest first; one export at a time per tenant',
    request: {
      query: z.strictObject({ ...logFilters, format: exportFormat }).refine(areDaysInOrder, reversedDays),
    },
    response: z.string(),
    download: exportMediaTypes,
  },
  getLog: {
    method: 'GET',
    path: '/admin/logs/{id}',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Get a request with its full prompt and response',
    request: { params: z.object({ id: requestId }) },
    response: logEntry,
  },
  getLogBody: {
    method: 'GET',
    path: '/admin/logs/{id}/body',
    surface: 'management',
    permission: 'logs.read',
    summary: 'Get the body of a request: the conversation, instructions, tools and settings',
    request: { params: z.object({ id: requestId }) },
    response: logBody,
  },
});
