import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IdentityMapping, mapGroups, readGroups } from './identity-mapping.ts';

const rule = (value: string, role: 'user' | 'admin' | null, team_id: number | null = null) => ({
  value,
  role,
  team_id,
});

describe('readGroups', () => {
  it.each<[string, object, string, string[]]>([
    ['a string', { groups: 'ops' }, 'groups', ['ops']],
    ['an array', { groups: ['ops', 'dev'] }, 'groups', ['ops', 'dev']],
    ['a nested array', { realm_access: { roles: ['ops'] } }, 'realm_access.roles', ['ops']],
    ['objects in an array', { groups: [{ name: 'ops' }, { name: 'dev' }] }, 'groups.name', ['ops', 'dev']],
    ['a claim named like a URL', { 'https://a.test/groups': ['ops'] }, 'https://a.test/groups', ['ops']],
    ['a missing claim', { other: 'ops' }, 'groups', []],
    ['a path through a string', { groups: 'ops' }, 'groups.name', []],
    ['numbers, objects and null', { groups: [1, {}, null, true, 'ops', ['dev']] }, 'groups', ['ops']],
    ['an empty string', { groups: ['', 'ops'] }, 'groups', ['ops']],
    ['a string of 257 characters', { groups: ['x'.repeat(257), 'ops'] }, 'groups', ['ops']],
    ['an inherited property', {}, 'constructor.name', []],
    ['the prototype', { groups: {} }, 'groups.__proto__.constructor.name', []],
    ['a path that is too long', { a: 'ops' }, 'a'.concat('.a'.repeat(20)), []],
  ])('readGroups returns only valid group names for %s', (_, claims, path, groups) => {
    expect(readGroups(claims as Record<string, unknown>, path)).toEqual(groups);
  });

  it('readGroups returns at most 2,000 groups', () => {
    const groups = Array.from({ length: 3_000 }, (_, number) => `group-${number}`);
    expect(readGroups({ groups }, 'groups')).toHaveLength(2_000);
  });

  it('readGroups returns only strings that the claims contain', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (claims, path) => {
        const text = JSON.stringify(claims);
        for (const group of readGroups(claims, path))
          expect(text).toContain(JSON.stringify(group).slice(1, -1));
      }),
    );
  });
});

describe('mapGroups', () => {
  const mapping = [rule('staff', 'user', 1), rule('leads', 'admin', 2), rule('staff', null, 3)];

  it.each<[string, IdentityMapping, string[], object]>([
    [
      'the highest role',
      { mapping, defaultRole: null },
      ['leads', 'staff'],
      { role: 'admin', teamIds: [1, 2, 3] },
    ],
    ['each team of a group', { mapping, defaultRole: null }, ['staff'], { role: 'user', teamIds: [1, 3] }],
    ['the default role', { mapping, defaultRole: 'user' }, ['other'], { role: 'user', teamIds: [] }],
    [
      'no role without a default role',
      { mapping, defaultRole: null },
      ['other'],
      { role: null, teamIds: [] },
    ],
    [
      'no role for a group in another letter case',
      { mapping, defaultRole: null },
      ['LEADS'],
      { role: null, teamIds: [] },
    ],
    [
      'the role of a rule below the default role',
      { mapping: [rule('staff', 'user')], defaultRole: 'admin' },
      ['staff'],
      { role: 'user', teamIds: [] },
    ],
  ])('mapGroups returns %s', (_, given, groups, access) => {
    expect(mapGroups(given, groups)).toEqual(access);
  });

  it('mapGroups does not return the role super_admin for a group of that name', () => {
    const groups = ['super_admin', 'admin', 'root'];
    const roles = groups.map(
      (value) => mapGroups({ mapping: [rule(value, 'admin')], defaultRole: 'user' }, groups).role,
    );
    expect(new Set(roles)).toEqual(new Set(['admin']));
  });
});
