import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { flag } from '../flag.ts';
import { id, instant, requestId } from '../ids.ts';
import { logQueryFilters, logQueryLengthMax, logStatuses } from '../log-query/log-query.ts';
import { parseLogQuery } from '../log-query/parse-log-query.ts';
import { usd } from '../money.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { deviationReceipt, intentNames } from './governance.ts';
import { promptPrivacyModes } from './prompt-privacy.ts';

/** How a row's token counts came to be: told by the provider, counted on what was received, or not known. */
export const usageSources = ['provider', 'partial', 'estimated', 'capped', 'none'] as const;

/** One call to a provider. Times are milliseconds; `started_ms` is since the receipt of the request. */
export const providerCall = z.object({
  provider_instance_name: z.string(),
  provider_key: z.string(),
  model: z.string(),
  started_ms: z.number(),
  /** Until it began to answer, or failed. */
  duration_ms: z.number(),
  /** `null` where nothing was answered. */
  http_status: z.number().int().nullable(),
  /** Why it failed; `null` for the one that was answered. */
  error_code: z.string().nullable(),
  /** What the provider calls its failure, or the system that of the connection: `ECONNREFUSED`. */
  cause: z.string().nullable(),
  /** In its own words, short and without secrets. */
  message: z.string().nullable(),
});

export type ProviderCall = z.infer<typeof providerCall>;

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
  /** What was kept of these two when the request ended; `null` once their days are over and they are deleted. */
  prompt_privacy: z.enum(promptPrivacyModes).nullable(),
  model: z.string().nullable(),
  status: z.enum(logStatuses),
  http_status: z.number().int(),
  /** Why it was refused or failed: `model_blacklisted`. */
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  response_time_ms: z.number(),
  first_byte_ms: z.number().nullable(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  openai_tokens_used: z.number().int(),
  usage_source: z.enum(usageSources),
  /** In dollars; `null` where no price is known. */
  cost: usd.nullable(),
  /** Each call, in order, where there was more than one that was answered; only administrators are told. */
  provider_calls: z.array(providerCall).nullable(),
  /** How many refusals of one reason the row stands for. */
  repeats: z.number().int(),
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
  team_id: id.optional(),
  /** Whether it was asked with an API key, or from the console. */
  by_api_key: flag.optional(),
  /** Days of the tenant's calendar, which count only together. */
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  ...logQueryFilters,
  /** A line of filters and words, such as `status:error model:gpt* user:ann cost>0.01`, beside the other filters. */
  query: z.string().max(logQueryLengthMax).superRefine(refuseUnreadable).optional(),
};

function refuseUnreadable(line: string, context: z.RefinementCtx): void {
  const [message] = parseLogQuery(line).problems;
  if (message) context.addIssue({ code: 'custom', message });
}

interface Days {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

const areDaysInOrder = ({ start_date: from, end_date: to }: Days) => !from || !to || from <= to;
/** Where and how a reversed range of days is refused. */
const reversedDays = { path: ['end_date'], message: 'The end date lies before the start date' };

const filtersAlone = z.strictObject(logFilters).refine(areDaysInOrder, reversedDays);

/** How many rows have each value, most frequent first. */
const facet = z.array(z.object({ value: z.string(), count: z.number().int() }));

export const logFacets = z.object({
  /** The newest rows that pass the filters, which the counts are of: 10,000 at most. */
  rows: z.number().int(),
  /** Whether these are all that pass. */
  is_whole: z.boolean(),
  status: facet,
  model: facet,
  provider_key: facet,
  intent_classification: facet,
  error_code: facet,
});

export type LogFacets = z.infer<typeof logFacets>;

/** So much of a body is kept; length and hash are those of the whole. */
export const loggedBodyBytesMax = 64 * 1024;

/** The body of a request as its sender wrote it, or redacted, as the tenant's mode says. */
export const logBody = z.object({
  id: requestId,
  /** `null` where nothing is kept of it. */
  body: z.string().nullable(),
  /** It was longer than what is kept. */
  is_cut: z.boolean(),
  bytes: z.number().int(),
  /** Of the whole, in hexadecimal digits: tells cut bodies apart. `null` where all or nothing is kept. */
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
    summary: 'Requests, newest first; prompt and response are cut to 2,000 characters',
    request: {
      query: z
        .strictObject({
          ...logFilters,
          ...pageQuery(100),
          /** Only rows older than this one: how to go on far below the first pages, where `skip` gets slow. */
          before: requestId.optional(),
        })
        .refine(areDaysInOrder, reversedDays),
    },
    response: z.array(logEntry),
  },
  countLogs: {
    method: 'GET',
    path: '/admin/logs/count',
    surface: 'management',
    permission: 'logs.read',
    summary: 'How many requests pass the filters, counted to a million: what an export would hold',
    request: { query: filtersAlone },
    response: z.object({ count: z.number().int(), is_exact: z.boolean() }),
  },
  getLogFacets: {
    method: 'GET',
    path: '/admin/logs/facets',
    surface: 'management',
    permission: 'logs.read',
    summary:
      'How the newest 10,000 requests that pass the filters are spread over states, models and reasons',
    request: { query: filtersAlone },
    response: logFacets,
  },
  exportLogs: {
    method: 'GET',
    path: '/admin/logs/export',
    surface: 'management',
    permission: 'logs.read',
    summary:
      'All requests that pass the filters, newest first, as a file; one export at a time for each person',
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
    summary: 'One request with its whole prompt and response',
    request: { params: z.object({ id: requestId }) },
    response: logEntry,
  },
  getLogBody: {
    method: 'GET',
    path: '/admin/logs/{id}/body',
    surface: 'management',
    permission: 'logs.read',
    summary: 'What one request sent: the conversation, instructions, tools and settings',
    request: { params: z.object({ id: requestId }) },
    response: logBody,
  },
});
