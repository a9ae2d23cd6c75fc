import { errorCodes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { encodeError, encodeStreamError, readErrorMessage, readFailure } from './errors.ts';

const facts = {
  code: 'invalid_request',
  providerCode: null,
  status: 400,
  message: 'No.',
  param: null,
} as const;

describe('E1: errors for callers', () => {
  it("encodeError returns Google's error format with the error code and the request ID", () => {
    expect(encodeError(facts, 'r1')).toEqual({
      error: {
        code: 400,
        message: 'No.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'INVALID_REQUEST',
            domain: 'sluice',
            metadata: { requestId: 'r1' },
          },
        ],
      },
    });
  });

  it('encodeError returns the field in BadRequest details', () => {
    const { error } = encodeError({ ...facts, param: 'contents[0].role' }, 'r1') as {
      error: { details: object[] };
    }; // safe because the test above checks the shape
    expect(error.details[1]).toEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'contents[0].role', description: 'No.' }],
    });
  });

  it("encodeError returns the provider's own code as the reason", () => {
    const written = JSON.stringify(encodeError({ ...facts, providerCode: 'context_length_exceeded' }, 'r1'));
    expect(written).toContain('"reason":"CONTEXT_LENGTH_EXCEEDED"');
  });

  it.each([
    [401, 'UNAUTHENTICATED'],
    [402, 'FAILED_PRECONDITION'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [422, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [501, 'UNIMPLEMENTED'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [599, 'INTERNAL'],
  ])('encodeError maps HTTP status %i to the error status %s', (status, word) => {
    expect(encodeError({ ...facts, status }, 'r1')).toMatchObject({ error: { code: status, status: word } });
  });

  it('encodeStreamError returns an error event', () => {
    const written = encodeStreamError(facts, { requestId: 'r1' });
    expect(written).toMatch(/^data: \{"error":.*\}\n\n$/);
    expect(JSON.parse(written.slice(6))).toEqual(encodeError(facts, 'r1'));
  });
});

const google = (fields: object) => JSON.stringify({ error: { code: 400, message: 'm', ...fields } });
const typed = (name: string, fields: object) => ({
  '@type': `type.googleapis.com/google.rpc.${name}`,
  ...fields,
});

describe('provider errors', () => {
  it('readErrorMessage returns the message with the status as the code', () => {
    expect(readErrorMessage(google({ status: 'ABORTED', message: 'no' }))).toEqual({
      message: 'no',
      code: 'ABORTED',
      param: null,
    });
  });

  it('readErrorMessage reads an error in a list, as sent by streams without SSE', () => {
    expect(readErrorMessage(`[${google({ status: 'INTERNAL' })}]`)).toMatchObject({ code: 'INTERNAL' });
  });

  it('readErrorMessage uses the numeric code if there is no status', () => {
    expect(readErrorMessage(google({}))?.code).toBe('400');
    expect(readErrorMessage(JSON.stringify({ error: { message: 'm' } }))?.code).toBeNull();
  });

  it.each([
    [
      'E2: an invalid key with status 400',
      { details: [typed('ErrorInfo', { reason: 'API_KEY_INVALID' })] },
      'invalid_api_key',
    ],
    [
      'E2: a key for another service',
      { details: [typed('ErrorInfo', { reason: 'API_KEY_SERVICE_BLOCKED' })] },
      'invalid_api_key',
    ],
    [
      'E2: an invalid key recognized by its message',
      { message: 'API key not valid. Please pass a valid API key.' },
      'invalid_api_key',
    ],
    ['E2: an expired key', { message: 'API key expired. Please renew the API key.' }, 'invalid_api_key'],
    ['E2: invalid Vertex AI credentials', { code: 401, status: 'UNAUTHENTICATED' }, 'invalid_api_key'],
    [
      'E5: a prompt that is too long',
      {
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
      'context_length_exceeded',
    ],
    [
      "E5: a prompt that is too long, in Vertex AI's wording",
      { message: 'The input token count of 9 exceeds the maximum', status: 'INVALID_ARGUMENT' },
      'context_length_exceeded',
    ],
    [
      'E4: no credit left',
      { code: 429, message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED' },
      'insufficient_quota',
    ],
    ['E4: too many requests', { code: 429, status: 'RESOURCE_EXHAUSTED' }, 'rate_limit_exceeded'],
  ])('readErrorMessage maps %s to a common code', (_rule, fields, code) => {
    expect(readErrorMessage(google(fields))?.code).toBe(code);
  });

  it.each([
    ['34s', 34_000],
    ['34.4s', 34_400],
    ['0.0005s', 1],
    ['0s', 0],
  ])('E4: readErrorMessage converts a retry delay of %s to milliseconds', (retryDelay, retryAfterMs) => {
    const details = [typed('QuotaFailure', { violations: [] }), typed('RetryInfo', { retryDelay })];
    expect(readErrorMessage(google({ code: 429, details }))).toMatchObject({ retryAfterMs });
  });

  it.each(['soon', '-1s', '1m', ''])('readErrorMessage ignores the retry delay "%s"', (retryDelay) => {
    const details = [typed('RetryInfo', { retryDelay })];
    expect(readErrorMessage(google({ details }))).not.toHaveProperty('retryAfterMs');
  });

  it('readErrorMessage returns the invalid field as param', () => {
    const details = [typed('BadRequest', { fieldViolations: [{ field: 'contents[1].parts' }] })];
    expect(readErrorMessage(google({ details }))?.param).toBe('contents[1].parts');
  });

  it('readErrorMessage ignores details of any other shape', () => {
    for (const details of ['none', [{ reason: 3, retryDelay: {}, fieldViolations: 'x' }], [null], {}])
      expect(readErrorMessage(google({ status: 'INTERNAL', details }))).toMatchObject({
        message: 'm',
        code: 'INTERNAL',
      });
  });

  it.each(['', '<html>', 'null', '[]', '{}', '{"error":"words"}', '{"error":{}}', '{"error":{"message":3}}'])(
    'readErrorMessage finds no message in %s',
    (body) => {
      expect(readErrorMessage(body)).toBeNull();
    },
  );
});

describe('E7: errors inside a stream', () => {
  it.each([
    ['UNAUTHENTICATED', 'provider_auth_failed'],
    ['PERMISSION_DENIED', 'provider_auth_failed'],
    ['INVALID_ARGUMENT', 'provider_rejected'],
    ['NOT_FOUND', 'provider_rejected'],
    ['RESOURCE_EXHAUSTED', 'rate_limited'],
    ['UNAVAILABLE', 'upstream_overloaded'],
    ['DEADLINE_EXCEEDED', 'upstream_timeout'],
    ['INTERNAL', 'upstream_error'],
    ['NEW', 'upstream_error'],
  ])('readFailure maps %s to %s', (status, code) => {
    expect(readFailure({ code: 500, status, message: 'm' })).toMatchObject({ code, message: 'm' });
    expect(errorCodes).toHaveProperty(code);
  });

  it.each([null, 'words', {}, { message: 5 }])('readFailure returns the default message for %j', (error) => {
    expect(readFailure(error)).toEqual({
      code: 'upstream_error',
      message: 'The provider reported an error in its response.',
    });
  });
});
