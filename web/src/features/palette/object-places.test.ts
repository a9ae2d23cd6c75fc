import type { User } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { findUserActions } from './object-places.ts';

// safe because only these fields are read
const users = [
  { id: 1, name: 'Mara Lind', email: 'mara@one.test' },
  { id: 2, name: 'Tom Keller', email: 'tom@one.test' },
  { id: 3, name: 'Mara Blocked', email: 'other@one.test', is_blocked: true },
] as User[];
const found = (typed: string) => findUserActions(users, typed).map(({ label, href }) => [label, href]);

describe('findUserActions', () => {
  it.each([
    ['block mara', [['Block Mara Lind', '/admin/users?open=1&act=block']]],
    ['Block  TOM', [['Block Tom Keller', '/admin/users?open=2&act=block']]],
    ['create key for tom', [['Create API key for Tom Keller', '/admin/users?open=2&act=api-key']]],
    ['create api key tom', [['Create API key for Tom Keller', '/admin/users?open=2&act=api-key']]],
    ['edit mara b', [['Edit Mara Blocked', '/admin/users?open=3&act=edit']]],
    ['give access to mara lind', [['Give access to Mara Lind', '/admin/users?open=1&act=access']]],
    ['lower limit of tom', [['Change the limits of Tom Keller', '/admin/users?open=2&act=edit']]],
    ['set password tom', [['Set the password of Tom Keller', '/admin/users?open=2&act=password']]],
    ['bl', [['Block a user', '/admin/users']]],
    ['block', [['Block a user', '/admin/users']]],
    ['block nobody', []],
    ['blocked', []],
    ['mara', []],
  ])('findUserActions returns the matching actions for %j', (typed, expected) => {
    expect(found(typed)).toEqual(expected);
  });
});
