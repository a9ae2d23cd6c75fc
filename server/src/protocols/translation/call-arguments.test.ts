import { expect, it } from 'vitest';
import { fillArguments, readArguments } from './call-arguments.ts';

it.each(['', '  ', 'null'])('no arguments, written as %j, are an empty object', (json) => {
  expect(fillArguments(json)).toBe('{}');
  expect(readArguments(json)).toEqual({});
});

it('arguments stay as the model wrote them', () => {
  expect(fillArguments(' { "a" : 1 }')).toBe(' { "a" : 1 }');
  expect(readArguments(' { "a" : 1 }')).toEqual({ a: 1 });
});

it('a long number in arguments keeps its digits', () => {
  expect(JSON.stringify(readArguments('{"id":12345678901234567890}'))).toBe('{"id":12345678901234567890}');
});

it.each([
  ['[1]', { value: [1] }],
  ['"text"', { value: 'text' }],
  ['{"a":', { invalid_arguments: '{"a":' }],
])('arguments that are no object, such as %s, are wrapped in one', (json, wrapped) => {
  expect(readArguments(json)).toEqual(wrapped);
});
