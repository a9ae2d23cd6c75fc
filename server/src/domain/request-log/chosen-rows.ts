import type { logStatuses } from '@sluice/contract';

/**
 * Filters with resolved team and key names. Absent filters do not apply. PostgreSQL's `find_request_logs` reads this
 * object as JSON. Patterns are LIKE patterns with `\` as the escape character.
 */
export interface ChosenRows {
  readonly user_id?: number | undefined;
  readonly task_id?: number | undefined;
  readonly team_ids?: readonly number[] | undefined;
  readonly api_key_id?: number | undefined;
  readonly api_key_ids?: readonly number[] | undefined;
  readonly by_api_key?: boolean | undefined;
  /** Pattern for the user's name or email, compared using `search_key`. */
  readonly user_like?: string | undefined;
  readonly task_like?: string | undefined;
  readonly status?: (typeof logStatuses)[number] | undefined;
  /** Matches any status except `refused`. */
  readonly is_admitted?: true | undefined;
  readonly error_code?: string | undefined;
  /** Labels that a request must have. A list with several values matches no request, because a label has one value. */
  readonly labels?: Readonly<Record<string, string | string[]>> | undefined;
  readonly label_names?: readonly string[] | undefined;
  readonly intent?: string | undefined;
  readonly is_unclassified?: true | undefined;
  readonly model?: string | undefined;
  /** Case-sensitive pattern for the model. */
  readonly model_like?: string | undefined;
  readonly provider_key?: string | undefined;
  /** Exclusive lower bound in nano-dollars, as an integer. */
  readonly cost_above?: string | undefined;
  readonly cost_below?: string | undefined;
  /** Exclusive lower bound for the sum of prompt and completion tokens. */
  readonly tokens_above?: number | undefined;
  readonly tokens_below?: number | undefined;
  /** Exclusive lower bound in milliseconds. */
  readonly response_time_above?: number | undefined;
  readonly response_time_below?: number | undefined;
  /** Case-insensitive pattern for the prompt, response or error, or for the user as in `user_like`. */
  readonly search_like?: string | undefined;
  /** Last characters of the request id, as an alternative to `search_like`. */
  readonly id_end?: string | undefined;
  /** Lowest id, inclusive. */
  readonly first?: string | undefined;
  /** Highest id, exclusive. */
  readonly end?: string | undefined;
}

export interface LogPage {
  /** Only includes rows with a lower id. */
  readonly before?: string | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly countMax: number;
}
