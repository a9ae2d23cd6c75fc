import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';

export const logStatuses = ['success', 'error', 'client_closed', 'refused'] as const;

/** Any status but refused: the requests that count as usage. */
export const admittedLogs = 'admitted' as const;

const number = decimalNumber(z.number().min(0).max(1_000_000_000));

/** What one line of a search can ask for; each field is a filter of the log's calls, too. */
export const logQueryFilters = {
  status: z.enum([...logStatuses, admittedLogs]).optional(),
  /** `not_classified` finds those without an intent. */
  intent_classification: z.string().max(50).optional(),
  /** `*` stands for any characters. */
  model: z.string().max(200).optional(),
  provider_key: z.string().max(100).optional(),
  /** The reason of a refusal or an error: `model_blacklisted`. */
  error_code: z.string().max(100).optional(),
  /** Part of a name or an e-mail address. */
  user: z.string().max(200).optional(),
  /** Part of a task's title. */
  task: z.string().max(200).optional(),
  /** In dollars, both without the value itself. */
  cost_above: number.optional(),
  cost_below: number.optional(),
  tokens_above: number.optional(),
  tokens_below: number.optional(),
  response_time_above_ms: number.optional(),
  response_time_below_ms: number.optional(),
  /** Found in request ids (whole or their end), people, reasons, errors, prompts and answers. */
  search: z.string().max(200).optional(),
};

export type LogQuery = z.output<z.ZodObject<typeof logQueryFilters>>;

type FieldName = Exclude<keyof LogQuery, 'search'>;

/** How a line writes each filter: `status:error`, `cost>0.01`. */
export const logQueryFields: ReadonlyMap<string, FieldName> = new Map([
  ['status:', 'status'],
  ['intent:', 'intent_classification'],
  ['model:', 'model'],
  ['provider:', 'provider_key'],
  ['code:', 'error_code'],
  ['user:', 'user'],
  ['task:', 'task'],
  ['cost>', 'cost_above'],
  ['cost<', 'cost_below'],
  ['tokens>', 'tokens_above'],
  ['tokens<', 'tokens_below'],
  ['time>', 'response_time_above_ms'],
  ['time<', 'response_time_below_ms'],
]);

/** The largest line that is read. */
export const logQueryLengthMax = 500;
