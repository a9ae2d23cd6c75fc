import type { logStatuses } from '@sluice/contract';

/**
 * Filters of the request log with names of teams and keys resolved; absent filters do not apply. PostgreSQL's
 * `find_request_logs` reads this object as JSON. Patterns are LIKE patterns, with `\` as the escape character.
 */
export interface ChosenRows {
  readonly user_id?: number | undefined;
  readonly task_id?: number | undefined;
  readonly team_ids?: readonly number[] | undefined;
  readonly api_key_id?: number | undefined;
  readonly api_key_ids?: readonly number[] | undefined;
  readonly by_api_key?: boolean | undefined;
  /** Pattern of the user's name or email, compared by `search_key`. */
  readonly user_like?: string | undefined;
  /** Pattern of the task's title, compared by `search_key`. */
  readonly task_like?: string | undefined;
  readonly status?: (typeof logStatuses)[number] | undefined;
  /** Any status except `refused`. */
  readonly is_admitted?: true | undefined;
  /** Reason of requests that did not succeed. */
  readonly error_code?: string | undefined;
  /** Labels that a request must have; an array of values matches no request, since a label has one value. */
  readonly labels?: Readonly<Record<string, string | string[]>> | undefined;
  /** Names of labels that a request must have, with any value. */
  readonly label_names?: readonly string[] | undefined;
  readonly intent?: string | undefined;
  readonly is_unclassified?: true | undefined;
  readonly model?: string | undefined;
  /** Case-sensitive pattern. */
  readonly model_like?: string | undefined;
  readonly provider_key?: string | undefined;
  /** Integer in nano-dollars, exclusive. */
  readonly cost_above?: string | undefined;
  readonly cost_below?: string | undefined;
  /** Prompt and completion tokens, exclusive. */
  readonly tokens_above?: number | undefined;
  readonly tokens_below?: number | undefined;
  /** Milliseconds, exclusive. */
  readonly response_time_above?: number | undefined;
  readonly response_time_below?: number | undefined;
  /** Case-insensitive pattern of the prompt, the response or the error, or of the user as in `user_like`. */
  readonly search_like?: string | undefined;
  /** Last characters of an id, an alternative to `search_like`. */
  readonly id_end?: string | undefined;
  /** Lowest id, inclusive. */
  readonly first?: string | undefined;
  /** Highest id, exclusive. */
  readonly end?: string | undefined;
}

export interface LogPage {
  /** Only rows older than this one. */
  readonly before?: string | undefined;
  readonly skip: number;
  readonly limit: number;
  /** Maximum number of rows that are counted. */
  readonly countMax: number;
}
