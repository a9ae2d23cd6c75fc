import { describe, expect, it } from 'vitest';
import { readErrorMessage } from './errors.ts';

const read = (body: object) => readErrorMessage(JSON.stringify(body));

it('E1: readErrorMessage returns the message of an error body', () => {
  expect(read({ id: 'e1', message: 'no' })).toEqual({
    message: 'no',
    code: null,
    param: null,
  });
});

it('readErrorMessage uses error_type as the code', () => {
  expect(read({ message: 'no', error_type: 'SOME_TYPE' })).toMatchObject({ code: 'SOME_TYPE' });
});

describe('readErrorMessage maps known errors to common codes', () => {
  it.each([
    [{ message: 'size limit exceeded', error_type: 'TOO_MANY_TOKENS' }, 'context_length_exceeded'],
    [{ message: 'too many tokens: total number cannot exceed 128000' }, 'context_length_exceeded'],
    [{ message: 'invalid api token' }, 'invalid_api_key'],
    [{ message: 'no api key supplied' }, 'invalid_api_key'],
    [
      { message: 'You are using a Trial key, which is limited to 1000 API calls / month.' },
      'insufficient_quota',
    ],
    [{ message: 'Please add or update your payment method.' }, 'insufficient_quota'],
  ])('readErrorMessage maps %j to the code %s', (body, code) => {
    expect(read(body)).toMatchObject({ code, message: body.message });
  });

  it('E4: readErrorMessage does not map a per-minute limit to insufficient_quota', () => {
    const message = 'You are using a Trial key, which is limited to 20 API calls / minute.';
    expect(read({ message })).toEqual({ message, code: 'rate_limit_exceeded', param: null });
  });
});

it.each([{ error: { message: 'no' } }, { error: 'no' }, { detail: 'no' }, { detail: [{ msg: 'no' }] }])(
  'readErrorMessage finds the message in %j',
  (body) => {
    expect(read(body)).toMatchObject({ message: 'no' });
  },
);

it.each(['', '<html></html>', 'null', '7', '{}', '[]', '{"message":""}', '{"message":7}'])(
  'readErrorMessage finds no message in %s',
  (body) => {
    expect(readErrorMessage(body)).toBeNull();
  },
);
