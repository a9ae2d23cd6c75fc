import { expect, it } from 'vitest';
import { errorCodes } from './error-codes.ts';

it("503 is a node's own failure before any provider is called, so that balancers may repeat it", () => {
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
  '%s, which is a provider, is none that takes a node out of a balancer',
  (_, { status }) => {
    expect(status).not.toBe(503);
  },
);
