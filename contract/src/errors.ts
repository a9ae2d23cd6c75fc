import { z } from 'zod';

/** Contains the path (`["body", "email"]`), the reason and the type of the violated rule. */
export const fieldProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

export type FieldProblem = z.infer<typeof fieldProblem>;

export const managementError = z.object({
  detail: z.union([z.string(), z.array(fieldProblem)]),
  request_id: z.string().optional(),
  /** Set for errors that clients handle specially, such as `second_factor_required`. */
  code: z.string().optional(),
});

/** Default format of the public surface. */
export const openaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

export const litellmError = openaiError.extend({ detail: managementError.shape.detail });

export const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});

export const googleError = z.object({
  error: z.object({ code: z.number().int(), message: z.string(), status: z.string() }),
});

/** In tokens. `null` if unknown. */
export interface ContextOverflow {
  readonly promptTokens: number | null;
  readonly maxTokens: number | null;
}

export interface NamedTask {
  readonly id: number;
  readonly title: string;
}

interface ErrorCodeRow {
  readonly status: number;
  readonly type: string;
  /**
   * Log status of a request that is rejected before admission: `refused` if a gateway rule rejected it, `error` if
   * the gateway or a provider failed. Errors after admission are always `error`. Requests of unknown callers are not
   * logged.
   */
  readonly loggedAs: 'refused' | 'error';
  readonly meaning: string;
}

/** Error codes of the public surface. A test compares them to docs/ERRORS.md. */
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
    meaning: 'A required field is missing, or a field has the wrong type.',
  },
  duplicate_field: {
    status: 400,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The body contains a field more than once, or in different case.',
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
    meaning: "The tenant's credits do not cover this request.",
  },
  tenant_suspended: {
    status: 402,
    type: 'insufficient_quota',
    loggedAs: 'refused',
    meaning: 'The tenant is suspended. The message gives the reason.',
  },
  account_blocked: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The account is blocked or inactive, or must set up a second factor first.',
  },
  access_withdrawn: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The key was revoked, or the account blocked or deactivated, while the request was running.',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The API key does not have the scope for this endpoint.',
  },
  key_restricted: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: "The API key may not be used from the client's network, or with the protocol of this endpoint.",
  },
  model_blacklisted: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The model is blacklisted for all users of the tenant.',
  },
  task_required: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'The request specifies no task, and the caller does not have exactly one.',
  },
  task_not_found: {
    status: 404,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The specified task is not an active task of the caller.',
  },
  policy_blocked: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: "The request would raise the user's deviation score to a level that the policy blocks.",
  },
  model_not_trusted: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning:
      'The intent of the prompt is uncertain, and the model is not trusted by the tenant for such prompts.',
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
    meaning: 'The path or object does not exist.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    loggedAs: 'error',
    meaning: 'The path does not support this method.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The request body was not received in time.',
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
    meaning: 'The provider rejected the request. Its status, code and message are returned.',
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
    meaning: 'Not enough tokens are left for this day.',
  },
  tokens_per_month_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: 'Not enough tokens are left for this month.',
  },
  budget_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: 'A budget in dollars, tokens or requests does not cover the request.',
  },
  model_unpriced: {
    status: 403,
    type: 'permission_error',
    loggedAs: 'refused',
    meaning: 'A budget in dollars applies, and no price is known for the model.',
  },
  task_tokens_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning: "The task's remaining tokens or its limit per answer are too low.",
  },
  too_many_at_once: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'refused',
    meaning:
      'Too many requests are in flight for one user or key on this worker, or under a limit of parallel requests.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    loggedAs: 'error',
    meaning: 'The provider is rate limiting the gateway.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    loggedAs: 'error',
    meaning: 'Internal error of the gateway.',
  },
  request_loop: {
    status: 508,
    type: 'invalid_request_error',
    loggedAs: 'refused',
    meaning: 'The request has already passed through this installation.',
  },
  node_stopped: {
    status: 500,
    type: 'server_error',
    loggedAs: 'error',
    meaning: 'This node stopped before the response was complete.',
  },
  not_supported: {
    status: 501,
    type: 'invalid_request_error',
    loggedAs: 'error',
    meaning: 'The endpoint exists in the OpenAI API but is not supported here.',
  },
  upstream_error: {
    status: 502,
    type: 'server_error',
    loggedAs: 'error',
    meaning: 'The provider failed or could not be reached.',
  },
  upstream_invalid_response: {
    status: 502,
    type: 'server_error',
    loggedAs: 'error',
    meaning: 'The provider returned an invalid completion.',
  },
  provider_auth_failed: {
    status: 502,
    type: 'upstream_error',
    loggedAs: 'error',
    meaning: "The provider rejected the gateway's key.",
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
    meaning: 'An administrator of the tenant has put every provider of the model in maintenance.',
  },
  response_budget_exceeded: {
    status: 502,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'The memory reserved for responses in flight is full.',
  },
  upstream_unavailable: {
    status: 502,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'Every provider of the model has failed repeatedly and is in cooldown.',
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
    meaning: 'The memory reserved for bodies of requests in flight is full.',
  },
  overloaded: {
    status: 503,
    type: 'overloaded_error',
    loggedAs: 'error',
    meaning: 'This node is at capacity.',
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
    type: 'server_error',
    loggedAs: 'error',
    meaning: 'The provider did not respond in time.',
  },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

export type ErrorCode = keyof typeof errorCodes;

/** A gateway rule rejects requests with these codes. */
export type RefusedCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['loggedAs'] extends 'refused' ? Code : never;
}[ErrorCode];
