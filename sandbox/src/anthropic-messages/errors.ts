import type { Call, WireError } from '../http/vendor.ts';
import type { Problem } from '../request/problem.ts';

interface Form {
  status: number;
  type: string;
  message?: string;
  headers?: string[];
}

const rateLimits = [
  ...['retry-after', '7', 'anthropic-ratelimit-tokens-limit', '1000'],
  ...[
    'anthropic-ratelimit-tokens-remaining',
    '0',
    'anthropic-ratelimit-tokens-reset',
    '2030-01-01T00:00:00Z',
  ],
];

const forms: Record<Problem['kind'], Form> = {
  invalid: { status: 400, type: 'invalid_request_error' },
  too_large: { status: 413, type: 'request_too_large' },
  unknown_model: { status: 404, type: 'not_found_error' },
  unknown_path: { status: 404, type: 'not_found_error' },
  key_missing: { status: 401, type: 'authentication_error', message: 'x-api-key header is required' },
  key_wrong: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  key_refused: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  rate_limited: { status: 429, type: 'rate_limit_error', headers: rateLimits },
  internal_error: { status: 500, type: 'api_error' },
  overloaded: {
    status: 529,
    type: 'overloaded_error',
    message: 'Overloaded',
    headers: ['x-should-retry', 'true'],
  },
  defect: { status: 500, type: 'api_error' },
};

export function encodeError(problem: Problem, { id }: Call): WireError {
  const { status, headers } = forms[problem.kind];
  return { status, body: { type: 'error', error: describeError(problem), request_id: `req_${id}` }, headers };
}

export function describeError({ kind, param, message }: Problem) {
  const place = param === null ? '' : `${param.replaceAll(/\[(\d+)\]/g, '.$1')}: `;
  return { type: forms[kind].type, message: forms[kind].message ?? place + message };
}
