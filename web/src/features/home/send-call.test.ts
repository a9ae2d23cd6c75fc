import { expect, it } from 'vitest';
import { addressOf, encodeBody } from './try-it.tsx';

const parameter = (name: string, place: 'path' | 'query' | 'header') => ({
  name,
  place,
  type: 'string',
  isRequired: false,
  description: undefined,
});

it('addressOf puts parameters in path and query and omits empty parameters', () => {
  const parameters = [parameter('id', 'path'), parameter('reason', 'query'), parameter('skip', 'query')];
  const address = addressOf(
    { path: '/api/v1/users/{id}/block', parameters },
    { id: 'a/b', reason: 'x y', skip: '' },
  );
  expect(address).toBe('/api/v1/users/a%2Fb/block?reason=x+y');
});

it('encodeBody returns JSON or a form, and rejects invalid JSON', () => {
  expect(encodeBody('application/json', '{"a": 1}').text).toBe('{"a": 1}');
  expect(encodeBody('application/x-www-form-urlencoded', '{"a": "x y"}').text).toBe('a=x+y');
  expect(() => encodeBody('application/json', '{')).toThrow('The body is not valid JSON');
});
