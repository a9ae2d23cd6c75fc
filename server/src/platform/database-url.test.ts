import { describe, expect, it } from 'vitest';
import { formatDatabaseHosts, parseDatabaseUrl } from './database-url.ts';

describe('parseDatabaseUrl', () => {
  it.each([
    ['postgresql://u:p@db.example/sluice', 'db.example:5432', false],
    ['postgres://u:p@db.example:6000/sluice', 'db.example:6000', false],
    ['postgresql://u:p@one:1,two:2/sluice', 'one:1, two:2', true],
    ['postgresql://u:p@one,two/sluice?target_session_attrs=primary', 'one:5432, two:5432', true],
    ['postgresql://u:p@one/sluice?target_session_attrs=read-write', 'one:5432', true],
    ['postgresql://u:p@one/sluice?target_session_attrs=any', 'one:5432', false],
    ['postgresql://u@[::1]:1,[fe80::2]/sluice', '[::1]:1, [fe80::2]:5432', true],
    ['postgresql:///sluice?host=/run/pg', '/run/pg', false],
    ['postgresql:///sluice?host=one,two&port=1,2', 'one:1, two:2', true],
    ['postgresql:///sluice?host=one,two&port=7', 'one:7, two:7', true],
    ['postgresql://u:a@b@one/sluice', 'one:5432', false],
    ['postgresql:///sluice', 'localhost:5432', false],
  ])('parseDatabaseUrl reads the servers of %s', (text, hosts, isPrimaryWanted) => {
    const url = parseDatabaseUrl(text);
    expect(url && formatDatabaseHosts(url)).toBe(hosts);
    expect(url).toMatchObject({ isPrimaryWanted, database: 'sluice' });
  });

  it.each([
    'mysql://u@one/sluice',
    'postgresql://one:x/sluice',
    'postgresql://one:0/sluice',
    'postgresql://one,/sluice',
    'postgresql://one:1,two:70000/sluice',
    'postgresql:///sluice?host=one,two,three&port=1,2',
    'postgresql://one,two/sluice?target_session_attrs=any',
    'postgresql://one,two/sluice?target_session_attrs=prefer-standby',
    'postgresql://one/sluice?target_session_attrs=standby',
    'postgresql://one/sluice?target_session_attrs=read-only',
    'one,two',
  ])('parseDatabaseUrl rejects %s', (text) => {
    expect(parseDatabaseUrl(text)).toBeNull();
  });

  it('forHost returns a connection string for each server that keeps everything except the choice of server', () => {
    const url = parseDatabaseUrl(
      'postgresql://u:p%40@one:1,[::1]:2/sluice?sslmode=verify-full&target_session_attrs=read-write',
    );
    expect(url?.hosts.map(url.forHost)).toEqual([
      'postgresql://u:p%40@one:1/sluice?sslmode=verify-full',
      'postgresql://u:p%40@[::1]:2/sluice?sslmode=verify-full',
    ]);
    const sockets = parseDatabaseUrl('postgresql://u@/sluice?host=/run/a,/run/b');
    expect(sockets?.hosts.map(sockets.forHost)).toEqual([
      'postgresql://u@localhost:5432/sluice?host=%2Frun%2Fa',
      'postgresql://u@localhost:5432/sluice?host=%2Frun%2Fb',
    ]);
  });
});
