import { type ErrorCode, errorCodes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import type { ErrorFacts } from '../protocol.ts';
import { encodeError, encodeStreamError, readErrorMessage, readStreamError } from './errors.ts';

const facts = (code: ErrorCode, status: number = errorCodes[code].status): ErrorFacts => ({
  code,
  status,
  message: 'Sorry.',
  providerCode: null,
  param: 'model',
});

describe('E1: errors for a caller', () => {
  it("have Anthropic's shape, with the request's id", () => {
    expect(encodeError(facts('invalid_request'), 'r1')).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Sorry.' },
      request_id: 'r1',
    });
  });

  it.each<[ErrorCode, string]>([
    ['invalid_json', 'invalid_request_error'],
    ['invalid_api_key', 'authentication_error'],
    ['account_blocked', 'permission_error'],
    ['model_not_found', 'not_found_error'],
    ['request_timeout', 'timeout_error'],
    ['body_too_large', 'request_too_large'],
    ['unsupported_media_type', 'invalid_request_error'],
    ['rate_limited', 'rate_limit_error'],
    ['internal_error', 'api_error'],
    ['provider_auth_failed', 'api_error'],
    ['upstream_error', 'api_error'],
    ['upstream_overloaded', 'overloaded_error'],
    ['upstream_timeout', 'timeout_error'],
  ])('%s is of type %s', (code, type) => {
    expect(encodeError(facts(code), 'r1')).toMatchObject({ error: { type } });
  });

  it.each([
    [402, 'billing_error'],
    [404, 'not_found_error'],
    [422, 'invalid_request_error'],
    [529, 'overloaded_error'],
  ])("a provider's refusal keeps the type of its status %i", (status, type) => {
    expect(encodeError(facts('provider_rejected', status), 'r1')).toMatchObject({ error: { type } });
  });

  it('every code of the catalogue has a type', () => {
    // safe because the keys of a constant object are its codes
    for (const code of Object.keys(errorCodes) as ErrorCode[])
      expect(encodeError(facts(code), 'r1')).toMatchObject({ error: { type: expect.stringMatching(/_/) } });
  });

  it('E7: in a stream they are an event of their own name', () => {
    const bytes = encodeStreamError(facts('upstream_error'), 'r1');
    expect(bytes).toBe(
      `event: error\ndata: ${JSON.stringify(encodeError(facts('upstream_error'), 'r1'))}\n\n`,
    );
  });
});

describe('errors of a provider', () => {
  const body = (type: string, message = 'Sorry.') =>
    JSON.stringify({ type: 'error', error: { type, message } });

  it('keep their words and their type', () => {
    expect(readErrorMessage(body('overloaded_error', 'Overloaded'))).toEqual({
      message: 'Overloaded',
      code: 'overloaded_error',
      param: null,
    });
  });

  it.each([
    [
      'E5',
      'invalid_request_error',
      'prompt is too long: 210000 tokens > 200000 maximum',
      'context_length_exceeded',
    ],
    ['E2', 'authentication_error', 'invalid x-api-key', 'invalid_api_key'],
    [
      'E4',
      'invalid_request_error',
      'Your credit balance is too low to access the API.',
      'insufficient_quota',
    ],
    ['E4', 'billing_error', 'Sorry.', 'insufficient_quota'],
  ])('%s: %s, "%s", is what all protocols call %s', (_rule, type, message, code) => {
    expect(readErrorMessage(body(type, message))?.code).toBe(code);
  });

  it('may lack a type', () => {
    expect(readErrorMessage('{"error":{"message":"x"}}')).toEqual({ message: 'x', code: null, param: null });
  });

  it.each(['', 'null', '<html>', '{}', '{"error":"x"}', '{"error":{"message":7}}', '[]'])(
    'are not read from %j',
    (text) => {
      expect(readErrorMessage(text)).toBeNull();
    },
  );

  it('E7: in a stream they become one of our own codes, whatever their type', () => {
    expect(readStreamError('overloaded_error')).toBe('upstream_overloaded');
    expect(readStreamError('not_found_error')).toBe('model_not_found');
    expect(readStreamError('not_invented_yet')).toBe('upstream_error');
    expect(readStreamError(null)).toBe('upstream_error');
  });
});
