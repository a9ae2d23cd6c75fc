import { expect, it } from 'vitest';
import { errorCodes } from './errors.ts';

it('errorCodes uses 503 only for failures of a node before any provider is called, so that balancers may retry', () => {
  const repeated = Object.entries(errorCodes).filter(([, { status }]) => status === 503);
  expect(repeated.map(([code]) => code).sort()).toEqual([
    'body_budget_exceeded',
    'draining',
    'journal_full',
    'not_ready',
    'overloaded',
  ]);
});

it.each(Object.entries(errorCodes).filter(([code]) => /^(upstream|provider)_/.test(code)))(
  'error code %s, a provider failure, does not make load balancers remove the node',
  (_, { status }) => {
    expect(status).not.toBe(503);
  },
);

/** Errors that a retry cannot fix. */
const lasting = new Set(['not_supported', 'provider_auth_failed', 'provider_out_of_credit', 'request_loop']);

it.each(Object.entries(errorCodes).filter(([code, { status }]) => status >= 500 && !lasting.has(code)))(
  'error code %s has a type that OpenAI clients retry, even inside a stream',
  (_, { type }) => {
    expect(['api_error', 'overloaded_error', 'server_error']).toContain(type);
  },
);
