import { contract, describeOpenapi } from '@sluice/contract';
import { expect, it } from 'vitest';
import { exampleOf, readOpenapi, typeOf } from './read-openapi.ts';

const operations = readOpenapi(describeOpenapi(contract, '1.0.0'));

it('every row of the contract is an operation of the reference', () => {
  const rowNames = Object.values(contract).flatMap((routes) => Object.keys(routes));
  expect(operations.map(({ id }) => id).sort()).toEqual(rowNames.sort());
});

it('an operation tells its fields, and what is required', () => {
  const chat = operations.find(({ id }) => id === 'createChatCompletion');
  expect(chat).toMatchObject({ method: 'POST', path: '/api/v1/chat/completions', isForModels: true });
  expect(chat?.body?.fields).toContainEqual({ name: 'model', type: 'string', isRequired: true });
  const block = operations.find(({ id }) => id === 'blockUser');
  expect(block?.parameters.map(({ name, place }) => `${place} ${name}`)).toContain('query reason');
});

it('types are said in words', () => {
  expect(typeOf({ type: 'array', items: { type: 'string' } })).toBe('list of string');
  expect(typeOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toBe('integer or null');
  expect(typeOf({ enum: ['a', 'b'] })).toBe('"a" or "b"');
});

it('an example holds what is required and nothing else', () => {
  const schema = {
    type: 'object',
    required: ['name', 'kind'],
    properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] }, note: { type: 'string' } },
  };
  expect(exampleOf(schema)).toEqual({ name: '', kind: 'a' });
});
