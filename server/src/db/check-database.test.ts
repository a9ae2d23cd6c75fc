import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#config/read-config.ts';
import { createLogger } from '#platform/logger.ts';
import {
  findPostgresBinaries,
  type OutsidePostgres,
  startOutsidePostgres,
} from '#test/database/outside-postgres.ts';
import { closedPort } from '#test/processes/free-port.ts';
import { checkDatabase } from './check-database.ts';
import { migrate } from './migrate.ts';

const [oldest] = findPostgresBinaries();
const check = (connectionString: string, isDirect = true) =>
  checkDatabase({ variable: 'DATABASE_URL', connectionString }, isDirect);

it('checkDatabase distinguishes an unknown host from a closed port', async () => {
  await expect(check(`postgresql://sluice@127.0.0.1:${closedPort}/sluice`)).rejects.toThrow(
    `The database cannot be used: the connection to 127.0.0.1:${closedPort} was refused. Start PostgreSQL, or correct the host and port in DATABASE_URL.`,
  );
  await expect(check('postgresql://sluice@no-such-host.invalid/sluice')).rejects.toThrow(
    'the host name of no-such-host.invalid:5432 cannot be resolved',
  );
});

it('checkDatabase explains a host that closes the connection before PostgreSQL responds', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // safe because the server listens on TCP
  await expect(check(`postgresql://sluice@127.0.0.1:${port}/sluice`)).rejects.toThrow(
    `The database cannot be used: 127.0.0.1:${port} does not respond. Allow the connection (firewall, network policy), or correct DATABASE_URL.`,
  );
  server.close();
});

describe.skipIf(!oldest)(
  `checkDatabase on an external server${oldest ? '' : ' (skipped: no PostgreSQL is installed)'}`,
  () => {
    let server: OutsidePostgres;
    const url = (login: string, database: string, { host = '127.0.0.1', query = '' } = {}) =>
      readConfig({ DATABASE_URL: `postgresql://${login}@${host}:${server.port}/${database}${query}` })
        .database!.url;
    beforeAll(async () => {
      server = await startOutsidePostgres(oldest!, {
        rules: [
          'hostssl secret all 127.0.0.1/32 scram-sha-256',
          'host closed all 127.0.0.1/32 reject',
          'host sluice keyed 127.0.0.1/32 scram-sha-256',
          'host sluice,standby,private,latin,none all 127.0.0.1/32 trust',
        ],
        settings: { max_connections: '12', superuser_reserved_connections: '3' },
      });
      await server.run(
        "CREATE ROLE keyed LOGIN PASSWORD 'right'; CREATE ROLE owner LOGIN; CREATE ROLE guest LOGIN",
      );
      for (const name of ['sluice', 'secret', 'closed', 'standby', 'private'])
        await server.run(`CREATE DATABASE ${name} OWNER owner`);
      await server.run('ALTER DATABASE standby SET default_transaction_read_only = on');
      await server.run("CREATE DATABASE latin OWNER owner ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
      await server.run('REVOKE CONNECT ON DATABASE private FROM public');
    });
    afterAll(() => server.stop());

    it.each([
      ['a wrong password', () => url('keyed:wrong', 'sluice'), /the password of "keyed" is wrong/],
      [
        'an encoding other than UTF-8',
        () => url('owner', 'latin'),
        /its encoding is LATIN1, but Sluice needs UTF8/,
      ],
      ['a missing role', () => url('nobody', 'sluice'), /there is no role "nobody". Create it: CREATE ROLE/],
      [
        'a missing database',
        () => url('owner', 'none'),
        /no database "none". Create it: CREATE DATABASE "none" OWNER "owner"/,
      ],
      [
        'a missing TLS connection',
        () => url('keyed:right', 'secret'),
        /only with TLS, or not at all .* sslmode=require/,
      ],
      [
        'a certificate that is not trusted',
        () => url('owner', 'sluice', { query: '?sslmode=verify-full' }),
        /not trusted. Set its certificate authority with sslrootcert/,
      ],
      [
        'a certificate for another host name',
        () => url('owner', 'sluice', { query: `?sslmode=verify-full&sslrootcert=${server.caFile}` }),
        /not valid for 127.0.0.1/,
      ],
      [
        'a rule that rejects the login',
        () => url('owner', 'closed'),
        /pg_hba.conf of the server does not allow "owner" to connect to "closed"/,
      ],
      [
        'a login without the right to connect',
        () => url('guest', 'private'),
        /GRANT CONNECT ON DATABASE "private" TO "guest"/,
      ],
      [
        'a login without the right to create tables',
        () => url('guest', 'sluice'),
        /"guest" may not create tables .* OWNER TO "guest"/,
      ],
      ['a read-only database', () => url('owner', 'standby'), /it is read-only/],
    ])('checkDatabase reports %s with the fix', async (_, target, message) => {
      await expect(check(target())).rejects.toThrow(message);
    });

    it.each([
      ['require', { query: '?sslmode=require' }],
      ['verify-full', { host: 'localhost', query: '?sslmode=verify-full&sslrootcert=' }],
    ])('a DATABASE_URL with sslmode=%s connects with TLS', async (_, { query, ...rest }) => {
      const full = query.endsWith('=') ? query + server.caFile : query;
      const connectionString = url('keyed:right', 'secret', { ...rest, query: full });
      const client = new pg.Client({ connectionString });
      await client.connect();
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      await client.end();
      expect(rows).toEqual([{ ssl: true }]);
    });

    it('checkDatabase reports too many connections', async () => {
      const connect = async () => {
        const client = new pg.Client({ connectionString: url('owner', 'sluice') });
        await client.on('error', () => undefined).connect();
        return client;
      };
      const clients = [await connect()];
      const { rows } = await clients[0]!.query<{
        most: number;
      }>(`SELECT current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer AS most`);
      // Connections of earlier tests may still be closing and become free later.
      await expect
        .poll(() =>
          connect().then(
            (client) => clients.push(client),
            () => clients.length,
          ),
        )
        .toBe(rows[0]!.most);
      await expect(check(url('owner', 'sluice'))).rejects.toThrow('no free connections (max_connections)');
      await Promise.allSettled(clients.map((client) => client.end()));
    });

    it('a database owner without other privileges can create all objects of Sluice', async () => {
      await server.run('CREATE ROLE sluice_tenant NOLOGIN; GRANT sluice_tenant TO owner');
      await check(url('owner', 'sluice'));
      await migrate(url('owner', 'sluice'), createLogger('silent'));
      const client = new pg.Client({ connectionString: url('owner', 'sluice') });
      await client.connect();
      const { rows } = await client.query('SELECT count(*)::integer AS applied FROM schema_migrations');
      await client.end();
      expect(rows[0].applied).toBeGreaterThan(30);
    });
  },
);
