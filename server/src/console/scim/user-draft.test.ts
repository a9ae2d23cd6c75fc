import { describe, expect, it } from 'vitest';
import { readAttributes, readOperations } from './patch-operations.ts';
import { readUserDraft } from './user-draft.ts';

const asUser = { canAssignRoles: false, currentRole: 'user' } as const;
const withRoles = { canAssignRoles: true, currentRole: 'user' } as const;
const patch = (
  operations: Parameters<typeof readOperations>[0],
  context: Parameters<typeof readUserDraft>[1] = asUser,
) => readUserDraft(readOperations(operations), context);

describe('readUserDraft', () => {
  it.each([
    ['a boolean as a text', [{ op: 'Replace', path: 'active', value: 'False' }], { isActive: false }],
    ['a value without a path', [{ op: 'replace', value: { active: false } }], { isActive: false }],
    [
      'a boolean in an array',
      [{ op: 'replace', path: 'active', value: [{ value: 'True' }] }],
      { isActive: true },
    ],
    ['an operation in capitals', [{ op: 'ADD', path: 'displayName', value: 'Ada' }], { displayName: 'Ada' }],
    [
      'a path with the URN of the schema',
      [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', value: 'Ada' }],
      { givenName: 'Ada' },
    ],
    [
      'keys that are paths',
      [
        {
          op: 'add',
          value: {
            'name.familyName': 'Lovelace',
            'emails[type eq "work"].value': 'other@one.test',
            'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'R&D',
          },
        },
      ],
      { familyName: 'Lovelace' },
    ],
    [
      'an object under the URN of the schema',
      [{ op: 'replace', value: { 'urn:ietf:params:scim:schemas:core:2.0:User': { displayName: 'Ada' } } }],
      { displayName: 'Ada' },
    ],
    [
      'names of attributes in any case',
      [{ op: 'replace', path: 'DISPLAYNAME', value: 'Ada' }],
      { displayName: 'Ada' },
    ],
    ['removal of an optional attribute', [{ op: 'remove', path: 'externalId' }], { externalId: null }],
    ['removal of the name', [{ op: 'remove', path: 'name' }], { givenName: null, familyName: null }],
    [
      'the last of several operations',
      [
        { op: 'replace', path: 'active', value: true },
        { op: 'replace', path: 'active', value: 'false' },
      ],
      { isActive: false },
    ],
    [
      'attributes of RFC 7643 without a place',
      [
        { op: 'add', path: 'addresses[type eq "work"].country', value: 'UK' },
        { op: 'replace', path: 'title', value: 'Countess' },
      ],
      {},
    ],
  ])('readUserDraft reads %s', (_title, operations, draft) => {
    expect(patch(operations)).toEqual(draft);
  });

  it.each([
    ['an unknown attribute', [{ op: 'add', path: 'shoeSize', value: 1 }], 'invalidPath'],
    ['a read-only attribute', [{ op: 'replace', path: 'id', value: '1' }], 'mutability'],
    ['removal of a required attribute', [{ op: 'remove', path: 'userName' }], 'mutability'],
    ['removal without a path', [{ op: 'remove' }], 'noTarget'],
    ['an unknown operation', [{ op: 'move', path: 'active', value: true }], 'invalidSyntax'],
    ['no operations', [], 'invalidSyntax'],
    [
      '101 operations',
      Array.from({ length: 101 }, () => ({ op: 'add', path: 'active', value: true })),
      'invalidSyntax',
    ],
    ['a word that is not a boolean', [{ op: 'replace', path: 'active', value: 'yes' }], 'invalidValue'],
    [
      'a userName that is no email address',
      [{ op: 'replace', path: 'userName', value: 'bjensen' }],
      'invalidValue',
    ],
    ['a name with a line break', [{ op: 'replace', path: 'displayName', value: 'A\nB' }], 'invalidValue'],
    [
      'an externalId of 256 characters',
      [{ op: 'add', path: 'externalId', value: 'x'.repeat(256) }],
      'invalidValue',
    ],
    ['a value that is not an object', [{ op: 'replace', value: 'x' }], 'invalidSyntax'],
  ])('readUserDraft rejects %s', (_title, operations, scimType) => {
    expect(() => patch(operations)).toThrow(expect.objectContaining({ status: 400, scimType }));
  });

  it('readUserDraft normalizes userName like other emails', () => {
    expect(readUserDraft(readAttributes({ UserName: ' Ada@ONE.test ' }), asUser)).toEqual({
      email: 'ada@one.test',
    });
  });

  it('readUserDraft ignores unknown attributes and extensions of a resource', () => {
    const resource = {
      shoeSize: 1,
      'not a path [': 2,
      __proto__: null,
      schemas: ['x'],
      id: '9',
      'urn:x:y': { a: 1 },
    };
    expect(readUserDraft(readAttributes(resource), asUser)).toEqual({});
  });
});

describe('roles of a SCIM user', () => {
  const complex = JSON.stringify({ id: '1', value: 'admin', displayName: 'Administrators' });

  it.each([
    ['roles', ['admin']],
    ['roles', [{ value: 'Admin', primary: true }]],
    ['roles', [{ value: 'user' }, { value: 'admin' }]],
    ['roles', complex],
    ['roles', [{ value: complex }]],
    ['userType', 'admin'],
    ['roles[primary eq "True"].value', 'admin'],
  ])('%s with %j sets the role admin only if the token may assign roles', (path, value) => {
    const operations = [{ op: 'add', path, value }];
    expect(patch(operations, withRoles)).toEqual({ role: 'admin' });
    expect(patch(operations, asUser)).toEqual({});
  });

  it.each([
    'super_admin',
    'SUPER_ADMIN',
    ['admin', { value: 'super_admin' }],
    JSON.stringify({ value: 'super_admin' }),
  ])('readUserDraft rejects the role of %j', (value) => {
    for (const path of ['roles', 'userType']) {
      const assign = () => patch([{ op: 'replace', path, value }], withRoles);
      expect(assign).toThrow(expect.objectContaining({ status: 403 }));
    }
  });

  const asAdmin = { canAssignRoles: true, currentRole: 'admin' } as const;

  it.each([
    ['keeps the role for values that are no roles', { op: 'replace', path: 'userType', value: 'Member' }, {}],
    [
      'keeps the higher role when one is added',
      { op: 'add', path: 'roles', value: ['user'] },
      { role: 'admin' },
    ],
    [
      'lowers the role when the roles are replaced',
      { op: 'replace', path: 'roles', value: ['user'] },
      { role: 'user' },
    ],
    ['lowers the role when the roles are removed', { op: 'remove', path: 'roles' }, { role: 'user' }],
    [
      'lowers the role when it is removed',
      { op: 'remove', path: 'roles[value eq "admin"]' },
      { role: 'user' },
    ],
    ['keeps the role when another one is removed', { op: 'remove', path: 'roles[value eq "x"]' }, {}],
  ])('readUserDraft %s', (_title, operation, draft) => {
    expect(patch([operation], asAdmin)).toEqual(draft);
  });
});
