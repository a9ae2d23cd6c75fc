import { describe, expect, it } from 'vitest';
import { readErrorMessage } from './errors.ts';

const read = (body: object) => readErrorMessage(JSON.stringify(body));

it('E1: an error is its message', () => {
  expect(read({ id: 'e1', message: 'model not found' })).toEqual({
    message: 'model not found',
    code: null,
    param: null,
  });
});

it('an error of a type keeps the type as its code', () => {
  expect(read({ message: 'no', error_type: 'SOME_TYPE' })).toMatchObject({ code: 'SOME_TYPE' });
});

describe('what all protocols call the same', () => {
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
  ])('%j has the code %s', (body, code) => {
    expect(read(body)).toMatchObject({ code, message: body.message });
  });

  it('E4: a limit by the minute is no lack of credit', () => {
    const message = 'You are using a Trial key, which is limited to 20 API calls / minute.';
    expect(read({ message })).toEqual({ message, code: null, param: null });
  });
});

it.each([{ error: { message: 'no' } }, { error: 'no' }, { detail: 'no' }, { detail: [{ msg: 'no' }] }])(
  'the words are found in %j',
  (body) => {
    expect(read(body)).toMatchObject({ message: 'no' });
  },
);

it.each(['', '<html></html>', 'null', '7', '{}', '[]', '{"message":""}', '{"message":7}'])(
  '%s says nothing',
  (body) => {
    expect(readErrorMessage(body)).toBeNull();
  },
);
