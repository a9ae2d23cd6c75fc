import { z } from 'zod';

/** Rejected field: its path (`["body", "email"]`), the reason, and the type of the violated rule. */
export const fieldProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

export type FieldProblem = z.infer<typeof fieldProblem>;

/** Error response of the management surface. */
export const managementError = z.object({
  detail: z.union([z.string(), z.array(fieldProblem)]),
  request_id: z.string().optional(),
});

/** OpenAI's error format, the default of the public surface. */
export const openaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** Anthropic's error format, for its clients. */
export const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});

/** Google's error format, for its clients. */
export const googleError = z.object({
  error: z.object({ code: z.number().int(), message: z.string(), status: z.string() }),
});

interface ErrorCodeRow {
  readonly status: number;
  /** OpenAI's error type. */
  readonly type: string;
  /**
   * Log status of a request that ends with this code before admission: `refused` if the gateway rejected it by a rule,
   * `error` if the gateway or a provider failed. Admitted requests are always `error`; unknown callers are not logged.
   */
  readonly loggedAs: 'refused' | 'error';
  readonly meaning: string;
}

/**
 * Error codes of the public surface with HTTP status, OpenAI error type, log status and meaning. docs/ERRORS.md lists
 * the same codes; a test compares the two.
 */
export const errorCodes = {
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The body is not valid JSON.',
  },
  invalid_request: {
    status: 400,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'A field is missing or of the wrong type.',
  },
  duplicate_field: {
    status: 400,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The body names a field twice, or in another case.',
  },
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    loggedAs: 'error',
    meaning: 'No API key was sent.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    loggedAs: 'error',
    meaning: 'The API key is unknown, revoked or expired.',
  },
  insufficient_credits: {
    status: 402,
    type: 'insufficient_quota',
    loggedAs: 'refused',
    meaning: "The tenant's credits do not pay for this request.",
  },
  tenant_suspended: {
    status: 402,
    type: 'insufficient_quota',
    loggedAs: 'refused',
    meaning: 'The tenant is suspended; the message says why.',
  },
  account_blocked: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The account is blocked or inactive.',
  },
  access_withdrawn: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The key was revoked, or the account blocked or deactivated, while the request ran.',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The API key may not use this endpoint.',
  },
  model_blacklisted: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The model is blacklisted for everybody of the tenant.',
  },
  task_required: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The request names no task, and the caller has not exactly one.',
  },
  task_not_found: {
    status: 404,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: "The named task is not one of the caller's active ones.",
  },
  policy_blocked: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: "The request would take its person's deviation score to where the policy refuses.",
  },
  model_not_trusted: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning:
      'It is not clear what the prompt asks for, and the model is none of those that the tenant trusts with that.',
  },
  model_not_found: {
    status: 404,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'No active provider offers this model to the caller.',
  },
  not_found: {
    status: 404,
    type: 'invalid_request_error',
    loggedAs: 'error',
    meaning: 'There is no such path or object.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    loggedAs: 'error',
    meaning: 'The path exists, the method does not.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The body did not arrive in time.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The body is larger than the gateway accepts.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The body is not JSON, or is compressed.',
  },
  provider_rejected: {
    status: 400,
    type: 'invalid_request_error',
    loggedAs: 'error',
    meaning: 'The provider refused the request itself; its status, code and words are passed on.',
  },
  requests_per_hour_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: 'No requests are left for this hour.',
  },
  tokens_per_day_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: 'The tokens left for this day do not suffice.',
  },
  tokens_per_month_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: 'The tokens left for this month do not suffice.',
  },
  task_tokens_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: "The task's tokens do not suffice, or its limit on one answer.",
  },
  too_many_at_once: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: 'Too many requests of one person or key are in flight.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'error',
    meaning: 'The provider refuses more requests for now.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    loggedAs: 'error',
    meaning: 'A fault of the gateway itself.',
  },
  request_loop: {
    status: 508,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The request has passed this installation before.',
  },
  node_stopped: {
    status: 500,
    type: 'server_error',
    loggedAs: 'error',
    meaning: 'This node stopped before the answer was complete.',
  },
  not_supported: {
    status: 501,
    type: 'invalid_request_error',
    loggedAs: 'error',
    meaning: 'The endpoint exists at OpenAI but not here.',
  },
  upstream_error: {
    status: 502,
    type: 'upstream_error',
    loggedAs: 'error',
    meaning: 'The provider failed or could not be reached.',
  },
  upstream_invalid_response: {
    status: 502,
    type: 'upstream_error',
    loggedAs: 'error',
    meaning: 'The provider answered something that is not a completion.',
  },
  provider_auth_failed: {
    status: 502,
    type: 'upstream_error',
    loggedAs: 'error',
    meaning: "The provider refused the gateway's own key.",
  },
  provider_out_of_credit: {
    status: 502,
    type: 'upstream_error',
    loggedAs: 'error',
    meaning: "The gateway's account at the provider has no credit.",
  },
  upstream_overloaded: {
    status: 502,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'The provider is overloaded.',
  },
  provider_in_maintenance: {
    status: 502,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'Every provider of the model is in maintenance, by an administrator of the tenant.',
  },
  upstream_unavailable: {
    status: 502,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'Every provider of the model has failed too often just now and is in cooldown.',
  },
  journal_full: {
    status: 503,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'The gateway cannot record requests at the moment.',
  },
  body_budget_exceeded: {
    status: 503,
    type: 'overloaded_error',
    loggedAs: 'refused',
    meaning: 'The bodies of requests in flight take all the memory that is set aside for them.',
  },
  overloaded: {
    status: 503,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'This node has more requests than it can take.',
  },
  draining: {
    status: 503,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'This node is shutting down.',
  },
  not_ready: {
    status: 503,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'The gateway cannot check credentials at the moment.',
  },
  upstream_timeout: {
    status: 504,
    type: 'upstream_error',
    loggedAs: 'error',
    meaning: 'The provider did not answer in time.',
  },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

export type ErrorCode = keyof typeof errorCodes;
