import { describe, expect, it } from 'vitest';
import { readInvitationRows, splitLine } from './read-rows.ts';

const options = {
  tasks: [{ id: 7, title: 'Reports' }],
  teams: [{ id: 3, name: 'Red, Blue' }],
  providers: [],
};
const given = { role: 'user' };
const read = (text: string) => readInvitationRows(text, given, options);

describe('readInvitationRows', () => {
  it.each([
    'ada@one.test, bob@one.test',
    'ada@one.test;bob@one.test',
    'ada@one.test\nbob@one.test\n\n',
    'ada@one.test bob@one.test',
    'Ada Lovelace <ada@one.test>, "Bob, Jr." <bob@one.test>',
    '\tada@one.test\r\n\tbob@one.test',
  ])('readInvitationRows finds the email addresses in %j', (text) => {
    const { header, rows } = read(text);
    expect(header).toBeNull();
    expect(rows.map(({ email, problem }) => [email, problem])).toEqual([
      ['ada@one.test', null],
      ['bob@one.test', null],
    ]);
  });

  it('readInvitationRows reads each column of a CSV file, and row values override the shared values', () => {
    const text =
      'Email;Role;daily quota;monthly_quota;requests_per_hour;task;team\n' +
      'ada@one.test;Admin;2,500;unlimited;;reports;"Red, Blue"\n' +
      'bob@one.test;;;;;;';
    const { header, rows } = read(text);
    expect(header).toContain('Email;Role');
    expect(rows.map(({ body, problem }) => ({ body, problem }))).toEqual([
      {
        body: {
          email: 'ada@one.test',
          role: 'admin',
          daily_quota: 2500,
          monthly_quota: null,
          task_id: 7,
          team_id: 3,
        },
        problem: null,
      },
      { body: { email: 'bob@one.test', role: 'user' }, problem: null },
    ]);
  });

  it.each([
    ['not-an-address', 'Please enter a valid email'],
    ['email,role\nada@one.test,boss', 'There is no role "boss"'],
    ['email,team\nada@one.test,Green', 'There is no team "Green"'],
    ['email,colour\nada@one.test,red', 'Unknown column colour'],
    ['email,daily_quota\nada@one.test,many', 'Daily quota must be a whole number of at most 15 digits'],
    ['email,daily_quota\nada@one.test,0', 'Daily quota must be at least 1'],
    ['email,role\n,user', 'Email is required'],
  ])('readInvitationRows reports the problem of the row %j', (text, problem) => {
    expect(read(text).rows.map((row) => row.problem)).toEqual([problem]);
  });

  it('readInvitationRows reports an address that is listed again in another case', () => {
    const { rows } = read('ada@one.test bob@one.test ADA@one.test');
    expect(rows.map(({ problem }) => problem)).toEqual([null, null, 'This address is listed twice']);
  });

  it('splitLine keeps separators and quotes inside quoted fields', () => {
    expect(splitLine('a,"b,c","say ""hi""",', ',')).toEqual(['a', 'b,c', 'say "hi"', '']);
  });
});
