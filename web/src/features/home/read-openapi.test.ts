import { contract, describeOpenapi } from '@sluice/contract';
import { expect, it } from 'vitest';
import { exampleOf, readOpenapi, typeOf } from './read-openapi.ts';

const operations = readOpenapi(describeOpenapi(contract, '1.0.0'));

it('readOpenapi returns an operation for every row of the contract', () => {
  const rowNames = Object.values(contract).flatMap((routes) => Object.keys(routes));
  expect(operations.map(({ id }) => id).sort()).toEqual(rowNames.sort());
});

it('readOpenapi returns the fields of an operation and whether each is required', () => {
  const chat = operations.find(({ id }) => id === 'createChatCompletion');
  expect(chat).toMatchObject({ method: 'POST', path: '/api/v1/chat/completions', isForModels: true });
  expect(chat?.body?.fields).toContainEqual({ name: 'model', type: 'string', isRequired: true });
  const block = operations.find(({ id }) => id === 'blockUser');
  expect(block?.parameters.map(({ name, place }) => `${place} ${name}`)).toContain('query reason');
});

it('typeOf formats types in words', () => {
  expect(typeOf({ type: 'array', items: { type: 'string' } })).toBe('list of string');
  expect(typeOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toBe('integer or null');
  expect(typeOf({ enum: ['a', 'b'] })).toBe('"a" or "b"');
});

it('exampleOf contains only the required fields', () => {
  const schema = {
    type: 'object',
    required: ['name', 'kind'],
    properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] }, note: { type: 'string' } },
  };
  expect(exampleOf(schema)).toEqual({ name: '', kind: 'a' });
});
