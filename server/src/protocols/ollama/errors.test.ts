import { expect, it } from 'vitest';
import { readErrorMessage } from './errors.ts';

const read = (body: object) => readErrorMessage(JSON.stringify(body));

it('E1: an error is its words alone', () => {
  const message = "model 'nope' not found";
  expect(read({ error: message })).toEqual({ message, code: null, param: null });
});

it.each([{ error: { message: 'no', code: null } }, { message: 'no' }])(
  'the words are found in %j',
  (body) => {
    expect(read(body)).toMatchObject({ message: 'no' });
  },
);

it.each([
  'the input length exceeds the context length',
  'prompt too long; exceeded max context length by 12 tokens',
  'the request exceeds the available context size, try increasing it',
])('E5: "%s" is the same everywhere', (message) => {
  expect(read({ error: message })).toMatchObject({ message, code: 'context_length_exceeded' });
});

it.each(['unauthorized', 'invalid API key'])('E2: "%s" is the same everywhere', (message) => {
  expect(read({ error: message })).toMatchObject({ code: 'invalid_api_key' });
});

it.each(['', '404 page not found', 'null', '7', '"text"', '[]', '{}', '{"error":""}', '{"error":7}'])(
  '%s says nothing',
  (body) => {
    expect(readErrorMessage(body)).toBeNull();
  },
);
