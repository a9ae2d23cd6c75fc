import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseDatabaseUrl } from '#platform/database-url.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { closedPort } from '#test/processes/free-port.ts';
import { checkDatabase } from './check-database.ts';
import { createPool } from './pool.ts';

const source = join(import.meta.dirname, '..');

/** Files that connect to one specific server: the client class, its subclass and the embedded server. */
const exceptions = ['db/client.ts', 'db/pooled-client.ts', 'db/embedded-server/start-embedded-server.ts'];

it('every connection of Sluice is created by createClient or createPool', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !exceptions.includes(name),
  );
  expect(files.length).toBeGreaterThan(500);
  const direct = files.filter((name) =>
    /new \(?[^();]*\b(?:Client|Pool)\)?\(/.test(readFileSync(join(source, name), 'utf8')),
  );
  expect(direct).toEqual(['db/pool.ts']);
});

it('createPool connects to the reachable server at any position in the list', async () => {
  const database = await createTestDatabase();
  const socket = parseDatabaseUrl(database.connectionString);
  const folder = encodeURIComponent(socket!.hosts[0]!.host);
  for (const [hosts, ports] of [
    [`127.0.0.1,${folder}`, `${closedPort},5432`],
    [`${folder},127.0.0.1`, `5432,${closedPort}`],
  ]) {
    const url = `postgresql://${socket!.login}@/${socket!.database}?host=${hosts}&port=${ports}&sslmode=disable`;
    const pool = createPool(url, 2, 'sluice-test');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  }
  await database.close();
});

it('checkDatabase names all servers in the list if none accepts writes', async () => {
  const database = await createTestDatabase();
  const { login, database: name, hosts } = parseDatabaseUrl(database.connectionString)!;
  await database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const folder = encodeURIComponent(hosts[0]!.host);
  const connectionString = `postgresql://${login}@/${name}?host=127.0.0.1,${folder}&port=${closedPort},5432&sslmode=disable`;
  await expect(checkDatabase({ variable: 'DATABASE_URL', connectionString }, true)).rejects.toThrow(
    `The database cannot be used: no server of 127.0.0.1:${closedPort}, ${hosts[0]!.host} accepts writes. Promote a standby`,
  );
  await database.pool
    .query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    .catch(() => undefined);
  await database.close();
});
