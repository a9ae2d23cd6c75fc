import type { Call, WireError } from '../http/vendor.ts';
import type { Problem } from '../request/problem.ts';

interface Form {
  status: number;
  message?: string;
}

const forms: Record<Problem['kind'], Form> = {
  invalid: { status: 400 },
  too_large: { status: 413 },
  unknown_model: { status: 404 },
  unknown_path: { status: 404 },
  key_missing: { status: 401, message: 'no api key supplied' },
  key_wrong: { status: 401, message: 'invalid api token' },
  key_refused: { status: 401, message: 'invalid api token' },
  rate_limited: {
    status: 429,
    message: 'You are using a Trial key, which is limited to 20 API calls / minute.',
  },
  internal_error: { status: 500 },
  overloaded: { status: 503 },
  defect: { status: 500 },
};

export function encodeError({ kind, param, message }: Problem, { id }: Call): WireError {
  const place = param === null ? '' : `invalid request: ${param}: `;
  return {
    status: forms[kind].status,
    body: { id: uuidOf(id), message: forms[kind].message ?? place + message },
  };
}

/** Converts the id of a call to a UUID, the format of all Cohere ids. */
export function uuidOf(callId: string): string {
  return `00000000-0000-4000-8000-${callId}`;
}
