import { expect, it } from 'vitest';
import { fillArguments, readArguments } from './call-arguments.ts';

it.each(['', '  ', 'null'])(
  'fillArguments and readArguments turn missing arguments, written as %j, into an empty object',
  (json) => {
    expect(fillArguments(json)).toBe('{}');
    expect(readArguments(json)).toEqual({});
  },
);

it('fillArguments keeps arguments as the model wrote them', () => {
  expect(fillArguments(' { "a" : 1 }')).toBe(' { "a" : 1 }');
  expect(readArguments(' { "a" : 1 }')).toEqual({ a: 1 });
});

it('readArguments keeps the digits of long numbers', () => {
  expect(JSON.stringify(readArguments('{"id":12345678901234567890}'))).toBe('{"id":12345678901234567890}');
});

it.each([
  ['[1]', { value: [1] }],
  ['"text"', { value: 'text' }],
  ['{"a":', { invalid_arguments: '{"a":' }],
])('readArguments wraps values other than objects, such as %s', (json, wrapped) => {
  expect(readArguments(json)).toEqual(wrapped);
});
