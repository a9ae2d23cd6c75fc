import { type ErrorCode, errorCodes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import type { ErrorFacts } from '../protocol.ts';
import { encodeError, encodeStreamError, readErrorMessage, readFailure } from './errors.ts';

const facts = (code: ErrorCode, status: number = errorCodes[code].status): ErrorFacts => ({
  code,
  status,
  message: 'Sorry.',
  providerCode: null,
  param: 'model',
});

describe('E1: errors for callers', () => {
  it("encodeError returns Anthropic's error format with the request ID", () => {
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
  ])('encodeError gives the code %s the error type %s', (code, type) => {
    expect(encodeError(facts(code), 'r1')).toMatchObject({ error: { type } });
  });

  it.each([
    [402, 'billing_error'],
    [404, 'not_found_error'],
    [422, 'invalid_request_error'],
    [529, 'overloaded_error'],
  ])('encodeError gives a provider error with status %i the error type %s', (status, type) => {
    expect(encodeError(facts('provider_rejected', status), 'r1')).toMatchObject({ error: { type } });
  });

  it('encodeError has a type for every error code', () => {
    // safe because the keys of a constant object are its codes
    for (const code of Object.keys(errorCodes) as ErrorCode[])
      expect(encodeError(facts(code), 'r1')).toMatchObject({ error: { type: expect.stringMatching(/_/) } });
  });

  it('E7: encodeStreamError returns an error event', () => {
    const bytes = encodeStreamError(facts('upstream_error'), { requestId: 'r1' });
    expect(bytes).toBe(
      `event: error\ndata: ${JSON.stringify(encodeError(facts('upstream_error'), 'r1'))}\n\n`,
    );
  });
});

describe('provider errors', () => {
  const body = (type: string, message = 'Sorry.') =>
    JSON.stringify({ type: 'error', error: { type, message } });

  it("readErrorMessage returns the message with OpenAI's code", () => {
    expect(readErrorMessage(body('overloaded_error', 'Overloaded'))).toEqual({
      message: 'Overloaded',
      code: 'server_is_overloaded',
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
  ])(
    '%s: readErrorMessage maps %s with the message "%s" to the common code %s',
    (_rule, type, message, code) => {
      expect(readErrorMessage(body(type, message))?.code).toBe(code);
    },
  );

  it('readErrorMessage accepts an error without a type', () => {
    expect(readErrorMessage('{"error":{"message":"x"}}')).toEqual({ message: 'x', code: null, param: null });
  });

  it.each(['', 'null', '<html>', '{}', '{"error":"x"}', '{"error":{"message":7}}', '[]'])(
    'readErrorMessage returns null for %j',
    (text) => {
      expect(readErrorMessage(text)).toBeNull();
    },
  );

  it("E7: readFailure maps known, unknown and missing types to Sluice's error codes", () => {
    const codeOf = (type: string | null) => readFailure({ type, message: 'm' }).code;
    expect(codeOf('overloaded_error')).toBe('upstream_overloaded');
    expect(codeOf('not_found_error')).toBe('provider_rejected');
    expect(codeOf('not_invented_yet')).toBe('upstream_error');
    expect(codeOf(null)).toBe('upstream_error');
  });
});
