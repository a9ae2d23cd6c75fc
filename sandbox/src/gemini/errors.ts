import type { Call, WireError } from '../http/vendor.ts';
import type { Problem } from '../request/problem.ts';

interface Form {
  code: number;
  status: string;
  details?: object[];
  message?: string;
}

const rpc = (type: string, fields: object) => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...fields,
});

const invalidKey: Form = {
  code: 400,
  status: 'INVALID_ARGUMENT',
  message: 'API key not valid. Please pass a valid API key.',
  details: [
    rpc('ErrorInfo', {
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    }),
    rpc('LocalizedMessage', {
      locale: 'en-US',
      message: 'API key not valid. Please pass a valid API key.',
    }),
  ],
};

const exhausted: Form = {
  code: 429,
  status: 'RESOURCE_EXHAUSTED',
  details: [
    rpc('QuotaFailure', { violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }] }),
    rpc('RetryInfo', { retryDelay: '7s' }),
  ],
};

const forms: Record<Problem['kind'], Form> = {
  invalid: { code: 400, status: 'INVALID_ARGUMENT' },
  too_large: { code: 400, status: 'INVALID_ARGUMENT', message: 'Request payload size exceeds the limit.' },
  unknown_model: { code: 404, status: 'NOT_FOUND' },
  unknown_path: { code: 404, status: 'NOT_FOUND' },
  key_missing: {
    code: 403,
    status: 'PERMISSION_DENIED',
    message:
      "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.",
  },
  key_wrong: invalidKey,
  key_refused: invalidKey,
  rate_limited: exhausted,
  internal_error: { code: 500, status: 'INTERNAL' },
  overloaded: {
    code: 503,
    status: 'UNAVAILABLE',
    message: 'The model is overloaded. Please try again later.',
  },
  defect: { code: 500, status: 'INTERNAL' },
};

/** If the stream is a list, the error is an element of the list. */
export function encodeError(problem: Problem, call: Call): WireError {
  const body = describeError(problem);
  return { status: forms[problem.kind].code, body: isListStream(call) ? [body] : body };
}

export function describeError(problem: Problem) {
  const { code, status, details, message = wordProblem(problem) } = forms[problem.kind];
  return { error: { code, message, status, ...(details && { details }) } };
}

/** Whether the stream is a JSON list. The default, unless the client requests server-sent events. */
export function isListStream({ path, query }: Pick<Call, 'path' | 'query'>): boolean {
  return path.endsWith(':streamGenerateContent') && query.get('alt') !== 'sse';
}

function wordProblem({ param, code, message }: Problem): string {
  if (param === null) return message;
  if (code !== 'unknown_parameter') return `Invalid value at '${param}': ${message}`;
  const [, place = '', name] = /^(?:(.*)\.)?([^.]*)$/.exec(param) ?? [];
  const where = place === '' ? '' : ` at '${place}'`;
  return `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`;
}
