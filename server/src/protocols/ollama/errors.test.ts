import { expect, it } from 'vitest';
import { readErrorMessage } from './errors.ts';

const read = (body: object) => readErrorMessage(JSON.stringify(body));

it('E1: readErrorMessage returns the message without a code', () => {
  const message = 'something failed';
  expect(read({ error: message })).toEqual({ message, code: null, param: null });
});

it.each([{ error: { message: 'no', code: null } }, { message: 'no' }])(
  'readErrorMessage finds the message in %j',
  (body) => {
    expect(read(body)).toMatchObject({ message: 'no' });
  },
);

it.each([
  'the input length exceeds the context length',
  'prompt too long; exceeded max context length by 12 tokens',
  'the request exceeds the available context size, try increasing it',
])('E5: readErrorMessage maps "%s" to context_length_exceeded', (message) => {
  expect(read({ error: message })).toMatchObject({ message, code: 'context_length_exceeded' });
});

it.each(['unauthorized', 'invalid API key'])(
  'E2: readErrorMessage maps "%s" to invalid_api_key',
  (message) => {
    expect(read({ error: message })).toMatchObject({ code: 'invalid_api_key' });
  },
);

it.each(['', '404 page not found', 'null', '7', '"text"', '[]', '{}', '{"error":""}', '{"error":7}'])(
  'readErrorMessage finds no message in %s',
  (body) => {
    expect(readErrorMessage(body)).toBeNull();
  },
);
