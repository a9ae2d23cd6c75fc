import { scimFilterMax } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { type Filter, parseFilter, parsePath } from './parse-filter.ts';

function write(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.filters.map(write).join(` ${filter.kind} `)})`;
    case 'not':
      return `not ${write(filter.filter)}`;
    case 'within':
      return `${nameOf(filter)}[${write(filter.filter)}]`;
    case 'present':
      return `${nameOf(filter)} pr`;
    case 'compare':
      return `${nameOf(filter)} ${filter.operator} ${JSON.stringify(filter.value)}`;
  }
}

const nameOf = ({ name: { attribute, sub } }: Exclude<Filter, { kind: 'and' | 'or' | 'not' }>) =>
  sub === null ? attribute : `${attribute}.${sub}`;

describe('parseFilter', () => {
  it.each([
    ['userName Eq "bjensen"', 'username eq "bjensen"'],
    ['name.familyName co "O\'Malley"', 'name.familyname co "O\'Malley"'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', 'username sw "J"'],
    ['title PR', 'title pr'],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastmodified gt "2011-05-13T04:42:34Z"'],
    ['title pr and userType eq "Employee"', '(title pr and usertype eq "Employee")'],
    ['a eq 1 or b eq 2 and c eq 3', '(a eq 1 or (b eq 2 and c eq 3))'],
    ['(a eq 1 or b eq 2) and c eq 3', '((a eq 1 or b eq 2) and c eq 3)'],
    [
      'userType ne "E" and not (emails co "x" or emails.value co "y")',
      '(usertype ne "E" and not (emails co "x" or emails.value co "y"))',
    ],
    ['not(a pr)', 'not a pr'],
    [
      'emails[type eq "work" and value co "@example.com"]',
      'emails[(type eq "work" and value co "@example.com")]',
    ],
    ['emails[type eq "work"].value eq "a@b"', 'emails[(type eq "work" and value eq "a@b")]'],
    ['emails[type eq "work"] or ims[type eq "xmpp"]', '(emails[type eq "work"] or ims[type eq "xmpp"])'],
    ['active eq True', 'active eq true'],
    ['active eq "False"', 'active eq "False"'],
    ['externalId eq null', 'externalid eq null'],
    ['n ge -1.5e3', 'n ge -1500'],
    [String.raw`displayName eq "a \"quoted\" ] ) name"`, String.raw`displayname eq "a \"quoted\" ] ) name"`],
    ['  userName   eq   "x"  ', 'username eq "x"'],
  ])('parseFilter parses %s', (text, tree) => {
    expect(write(parseFilter(text))).toBe(tree);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq bjensen',
    'userName is "x"',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x" userName eq "y"',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'emails[a[b eq 1]]',
    'emails[]',
    '"userName" eq "x"',
    '1name eq "x"',
    'a.b.c eq "x"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    '__proto__ eq "x"',
  ])('parseFilter rejects %j as invalidFilter', (text) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
    );
  });

  const nested = (levels: number) => `${'('.repeat(levels)}a pr${')'.repeat(levels)}`;
  const chain = (parts: number) => Array.from({ length: parts }, () => 'a pr').join(' or ');

  it.each([
    ['levels', nested(20), nested(21)],
    ['comparisons', chain(60), chain(61)],
    ['characters', `a eq "${'x'.repeat(scimFilterMax - 7)}"`, `a eq "${'x'.repeat(scimFilterMax - 6)}"`],
  ])('parseFilter limits the number of %s', (_bound, allowed, tooLarge) => {
    expect(() => parseFilter(allowed)).not.toThrow();
    expect(() => parseFilter(tooLarge)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
  });
});

describe('parsePath', () => {
  it.each([
    ['active', { attribute: 'active', sub: null }],
    ['name.givenName', { attribute: 'name', sub: 'givenname' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', { attribute: 'name', sub: 'familyname' }],
    ['URN:IETF:params:scim:schemas:core:2.0:Group:members', { attribute: 'members', sub: null }],
    ['urn:ietf:params:scim:schemas:core:2.0:User', { attribute: '', sub: null, isForeign: false }],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', { isForeign: true }],
    ['members[value eq "7"]', { attribute: 'members', sub: null }],
    ['emails[type eq "work"].value', { attribute: 'emails', sub: 'value' }],
    ['roles[primary eq "True"].value', { attribute: 'roles', sub: 'value' }],
  ])('parsePath parses %s', (text, path) => {
    expect(parsePath(text)).toMatchObject(path);
  });

  it.each(['members[value eq "7"', 'members[value eq "7"] x', 'a b', 'a..b', '.a', '[a pr]'])(
    'parsePath rejects %j as invalidPath',
    (text) => {
      expect(() => parsePath(text)).toThrow(
        expect.objectContaining({ status: 400, scimType: 'invalidPath' }),
      );
    },
  );
});
