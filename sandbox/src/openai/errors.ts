import type { WireError } from '../http/vendor.ts';
import type { Problem } from '../request/problem.ts';

const rateLimits = [
  ...['retry-after', '7'],
  ...['x-ratelimit-limit-requests', '100', 'x-ratelimit-limit-tokens', '1000'],
  ...['x-ratelimit-remaining-requests', '99', 'x-ratelimit-remaining-tokens', '0'],
  ...['x-ratelimit-reset-requests', '600ms', 'x-ratelimit-reset-tokens', '7s'],
];

interface Form {
  status: number;
  type?: string;
  code?: string;
  headers?: string[];
}

const forms: Record<Problem['kind'], Form> = {
  invalid: { status: 400 },
  too_large: { status: 413, code: 'request_too_large' },
  unknown_model: { status: 404, code: 'model_not_found' },
  unknown_path: { status: 404, code: 'unknown_url' },
  key_missing: { status: 401 },
  key_wrong: { status: 401, code: 'invalid_api_key' },
  key_refused: { status: 401, code: 'invalid_api_key' },
  rate_limited: { status: 429, type: 'tokens', code: 'rate_limit_exceeded', headers: rateLimits },
  internal_error: { status: 500, type: 'server_error' },
  overloaded: { status: 503, type: 'server_error' },
  defect: { status: 500, type: 'server_error' },
};

export function encodeError(problem: Problem): WireError {
  const { status, type = 'invalid_request_error', code = problem.code, headers } = forms[problem.kind];
  const { param } = problem;
  const message = param === null ? problem.message : `Invalid '${param}': ${problem.message}.`;
  return { status, body: { error: { message, type, param, code } }, headers };
}
