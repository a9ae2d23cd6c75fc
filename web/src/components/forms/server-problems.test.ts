import { describe, expect, it } from 'vitest';
import { findInput, placeProblems } from './use-contract-form.ts';

const fields = new Set(['email', 'allowed_models', 'members.0.role']);
const place = (loc: (string | number)[]) =>
  placeProblems([{ loc, msg: 'No good', type: 'value_error' }], (path) => fields.has(path));

describe('a problem that the server found', () => {
  it.each([
    [['body', 'email'], 'email'],
    [['email'], 'email'],
    [['body', 'members', 0, 'role'], 'members.0.role'],
    [['body', 'allowed_models', 2], 'allowed_models'],
  ])('placeProblems assigns a problem at %j to the field %s', (loc, path) => {
    expect(place(loc)).toEqual({ byPath: { [path]: 'No good' }, unplaced: [] });
  });

  it.each([[['body', 'tenant_id']], [['body']], [[]]])(
    'placeProblems returns a problem at %j, which is not a field, as unplaced',
    (loc) => {
      expect(place(loc)).toEqual({ byPath: {}, unplaced: ['No good'] });
    },
  );

  it('placeProblems keeps the first problem of a field', () => {
    const problems = ['Too short', 'Too plain'].map((msg) => ({
      loc: ['body', 'email'],
      msg,
      type: 'value',
    }));
    expect(placeProblems(problems, () => true).byPath).toEqual({ email: 'Too short' });
  });
});

it.each([
  ['networks.0', 'networks'],
  ['models.1', 'models'],
  ['aliases.0.name', 'aliases.0.name'],
  ['price.input', 'price.input'],
  ['name', 'name'],
])('findInput returns for a problem at %s the input %s', (path, input) => {
  const values = {
    name: '',
    networks: 'office',
    models: ['a', ''],
    aliases: [{ name: '' }],
    price: { input: 0 },
  };
  expect(findInput(path, values)).toBe(input);
});
