import type { RefusalKind } from '../models/catalogue.ts';

/** An error in OpenAI's shape together with the status and headers it travels with. */
export type WireError = {
  status: number;
  type: string;
  code: string | null;
  param: string | null;
  message: string;
  headers?: string[];
};

/** Thrown wherever a request turns out not to be acceptable; the endpoint answers with it. */
export class RequestRefused extends Error {
  readonly wire: WireError;

  constructor(wire: WireError) {
    super(wire.message);
    this.wire = wire;
  }
}

export function invalidRequest(code: string | null, param: string | null, message: string, status = 400) {
  return new RequestRefused({ status, type: 'invalid_request_error', code, param, message });
}

export function encodeError({ message, type, param, code }: WireError): string {
  return JSON.stringify({ error: { message, type, param, code } });
}

/** What the models that refuse answer with. */
export const refusals: Record<RefusalKind, WireError> = {
  rate_limited: {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    param: null,
    message: 'Rate limit reached on tokens per min (TPM): Limit 1000, Used 1000. Try again in 7s.',
    headers: [
      ...['retry-after', '7'],
      ...['x-ratelimit-limit-requests', '100', 'x-ratelimit-limit-tokens', '1000'],
      ...['x-ratelimit-remaining-requests', '99', 'x-ratelimit-remaining-tokens', '0'],
      ...['x-ratelimit-reset-requests', '600ms', 'x-ratelimit-reset-tokens', '7s'],
    ],
  },
  internal_error: {
    status: 500,
    type: 'server_error',
    code: null,
    param: null,
    message: 'The sandbox failed on purpose while it worked on this request.',
  },
  overloaded: {
    status: 503,
    type: 'server_error',
    code: null,
    param: null,
    message: 'The sandbox is overloaded on purpose. Try again later.',
  },
  key_refused: {
    status: 401,
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    param: null,
    message: 'Incorrect API key provided: this model refuses every key.',
  },
};
