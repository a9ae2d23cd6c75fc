import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { type EmbeddedServer, startEmbeddedServer } from './start-embedded-server.ts';

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

// mkdtemp uses mode 700. If the tests run as root, the server's account therefore cannot access any of their folders.
const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
const template = join(folder, 'template');
let dataDir: string;
let count = 0;
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];
const lines: string[] = [];
const log = createLogger('debug', { write: (line) => void lines.push(line) });

async function start(maxConnections = 20): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ dataDir, maxConnections, log });
  servers.push(server);
  return server;
}

async function query(connectionString: string, sql: string) {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function startOwner(): Promise<{ child: ChildProcess; connectionString: string }> {
  const script = `
    import { startEmbeddedServer } from ${JSON.stringify(join(import.meta.dirname, 'start-embedded-server.ts'))};
    import { createLogger } from '#platform/logger.ts';
    process.on('SIGTERM', () => {});
    const [dataDir] = process.argv.slice(1);
    const server = await startEmbeddedServer({ dataDir, maxConnections: 20, log: createLogger('silent') });
    process.stdout.write(server.connectionString);
    setInterval(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, dataDir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  const [output] = await once(child.stdout, 'data');
  return { child, connectionString: String(output) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function isGone(pid: number): boolean {
  try {
    return !isLinux || /\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5);
}

beforeAll(async () => {
  dataDir = template;
  mkdirSync(dataDir);
  const server = await startEmbeddedServer({ dataDir, maxConnections: 20, log });
  await query(server.connectionString, 'CREATE TABLE entries (id int PRIMARY KEY)');
  await server.stop();
});
beforeEach(() => {
  dataDir = join(folder, String(++count));
  execFileSync('cp', ['-a', template, dataDir]);
  lines.length = 0;
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

test('startEmbeddedServer creates a cluster that is durable, checksummed, Unicode and reachable only by its socket', async () => {
  const { connectionString } = await start(33);
  const [settings] = await query(
    connectionString,
    `SELECT current_setting('data_checksums') AS checksums, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS "synchronousCommit", current_setting('jit') AS jit,
       current_setting('listen_addresses') AS addresses, current_setting('max_connections') AS connections,
       current_setting('shared_buffers') AS buffers, current_setting('TimeZone') AS zone,
       pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale,
       pg_get_userbyid(datdba) AS owner, current_user AS login, rolsuper AS "isSuperuser", upper('äß') AS upper
     FROM pg_database, pg_roles WHERE datname = current_database() AND rolname = current_user`,
  );
  expect(settings).toEqual({
    checksums: 'on',
    fsync: 'on',
    synchronousCommit: 'on',
    jit: 'off',
    addresses: '',
    connections: '33',
    buffers: '128MB',
    zone: 'UTC',
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    owner: 'sluice',
    login: 'sluice',
    isSuperuser: false,
    upper: 'Äß',
  });
  const runDir = readlinkSync(join(dataDir, 'postgres-run'));
  expect(statSync(runDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
});

test('the application role may create the tenant role and the trigram extension', async () => {
  const { connectionString } = await start();
  await query(
    connectionString,
    `CREATE EXTENSION pg_trgm; CREATE ROLE tenant NOLOGIN; GRANT tenant TO sluice; BEGIN; SET LOCAL ROLE tenant; COMMIT`,
  );
});

test('stop ends every process and removes the socket folder, and a later start finds the data', async () => {
  const first = await start();
  await query(first.connectionString, 'INSERT INTO entries VALUES (1)');
  const pid = postmasterPid();
  const runDir = readlinkSync(join(dataDir, 'postgres-run'));
  await first.stop();
  expect(isGone(pid)).toBe(true);
  expect(existsSync(runDir)).toBe(false);
  const second = await start();
  expect(await query(second.connectionString, 'SELECT id FROM entries')).toEqual([{ id: 1 }]);
});

test('the embedded server restarts after kill -9 during inserts, with every acknowledged row', async () => {
  const { connectionString } = await start();
  const acknowledged: number[] = [];
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  const pid = postmasterPid();
  const inserting = (async () => {
    for (let id = 1; ; id++) {
      await client.query('INSERT INTO entries VALUES ($1)', [id]);
      acknowledged.push(id);
      if (id === 200) process.kill(pid, 'SIGKILL');
    }
  })();
  await expect(inserting).rejects.toThrow();
  await until(() => lines.some((line) => line.includes('PostgreSQL is running again')));
  const rows = await query(connectionString, 'SELECT id FROM entries');
  const stored = new Set(rows.map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});

test('kill -9 of the server and its owner during inserts keeps every acknowledged row', async () => {
  const { child, connectionString } = await startOwner();
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  const acknowledged: number[] = [];
  const pid = postmasterPid();
  const inserting = (async () => {
    for (let id = 1; ; id++) {
      await client.query('INSERT INTO entries VALUES ($1)', [id]);
      acknowledged.push(id);
      if (id === 200) {
        child.kill('SIGKILL');
        process.kill(pid, 'SIGKILL');
      }
    }
  })();
  await expect(inserting).rejects.toThrow();
  const server = await start();
  const stored = new Set(
    (await query(server.connectionString, 'SELECT id FROM entries')).map(({ id }) => id),
  );
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});

test('startEmbeddedServer stops the server of a killed owner and removes its socket folder', async () => {
  const { child, connectionString } = await startOwner();
  await query(connectionString, 'INSERT INTO entries VALUES (7)');
  const orphan = postmasterPid();
  const orphanRunDir = readlinkSync(join(dataDir, 'postgres-run'));
  await kill(child);
  expect(isGone(orphan)).toBe(false);
  const server = await start();
  expect(isGone(orphan)).toBe(true);
  expect(existsSync(orphanRunDir)).toBe(false);
  expect(postmasterPid()).not.toBe(orphan);
  expect(await query(server.connectionString, 'SELECT id FROM entries')).toEqual([{ id: 7 }]);
});

test.skipIf(!isLinux)(
  'startEmbeddedServer succeeds while a backend of a killed server is still running a long query',
  async () => {
    const { child, connectionString } = await startOwner();
    const client = new Client({ connectionString });
    client.on('error', () => {});
    await client.connect();
    const [{ pid: backend }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
    const busy = client.query('SELECT count(*) FROM generate_series(1, 100000000000)').catch(() => {});
    await until(() => /\) R/.test(readFileSync(`/proc/${backend}/stat`, 'utf8')));
    process.kill(postmasterPid(), 'SIGKILL');
    await kill(child);
    await start();
    expect(isGone(backend)).toBe(true);
    await busy;
  },
);

test('the embedded server survives a signal to the process group of its owner', async () => {
  const { child, connectionString } = await startOwner();
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await once(child, 'exit');
  expect(await query(connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await start();
});

test('startEmbeddedServer on a copy of a running data folder does not affect the original', async () => {
  const original = await start();
  const originalDir = dataDir;
  dataDir = join(folder, 'copy');
  execFileSync('cp', ['-a', originalDir, dataDir]);
  const copy = await start();
  await query(copy.connectionString, 'INSERT INTO entries VALUES (1)');
  expect(await query(original.connectionString, 'SELECT id FROM entries')).toEqual([]);
});

test.skipIf(!isLinux)(
  'startEmbeddedServer ignores a lock file that names a zombie or another process',
  async () => {
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    // exec replaces the shell with a program that does not reap its child process, so that the child becomes a zombie.
    const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
      uid,
      gid,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    children.push(parent);
    const [output] = await once(parent.stdout as Readable, 'data');
    const zombie = Number(output);
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() === 'sleep');
    (parent.stdio[3] as Writable).end();
    await until(() => /\) Z/.test(readFileSync(`/proc/${zombie}/stat`, 'utf8')));
    for (const pid of [zombie, parent.pid]) {
      const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
      writeFileSync(lockFile, `${pid}\n/proc/self/cwd\n1\n5432\n/tmp\n\n  1 1\nready   \n`);
      const server = await start();
      expect(await query(server.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.stop();
    }
    expect(parent.exitCode).toBeNull();
  },
);

test('startEmbeddedServer succeeds after the first start was killed halfway', async () => {
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  mkdirSync(join(dataDir, 'postgres.new'));
  writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18');
  const server = await start();
  expect(await query(server.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
});

test('startEmbeddedServer rejects a cluster of another major version and names both versions', async () => {
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
  await expect(start()).rejects.toThrow(
    /was created by PostgreSQL 12, but this Sluice includes PostgreSQL 18/,
  );
});

test('startEmbeddedServer rejects a folder that is not a cluster', async () => {
  rmSync(join(dataDir, 'postgres', 'PG_VERSION'));
  await expect(start()).rejects.toThrow('is not a PostgreSQL cluster');
});

test('an embedded server that cannot start reports the reason and leaves no link to its socket folder', async () => {
  rmSync(join(dataDir, 'postgres', 'global', 'pg_control'));
  await expect(start()).rejects.toThrow(/did not start:.*pg_control/s);
  expect(existsSync(join(dataDir, 'postgres-run'))).toBe(false);
});

test('the embedded server does not log the text or values of a failed statement', async () => {
  const { connectionString } = await start();
  await query(connectionString, 'INSERT INTO entries VALUES (4711)');
  await expect(query(connectionString, 'INSERT INTO entries VALUES (4711)')).rejects.toThrow('duplicate key');
  await servers.splice(0).at(0)?.stop();
  expect(lines.join('')).not.toContain('4711');
});

const passwd = readFileSync('/etc/passwd', 'utf8');
const serverUid = () =>
  Number(/Uid:\s+(\d+)/.exec(readFileSync(`/proc/${postmasterPid()}/status`, 'utf8'))?.[1]);
const ownersOf = (dir: string) =>
  new Set(readdirSync(dir, { recursive: true }).map((name) => lstatSync(join(dir, String(name))).uid));

test.skipIf(!isRoot)(
  'root runs the server as an unprivileged, unnamed account that has no access to other folders',
  async () => {
    const server = await start();
    expect(serverUid()).toBeGreaterThan(0);
    expect(passwd).not.toContain(`:${serverUid()}:`);
    expect(ownersOf(join(dataDir, 'postgres'))).toEqual(new Set([serverUid()]));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await expect(query(server.connectionString, `COPY (SELECT 1) TO PROGRAM 'cat'`)).rejects.toThrow(
      'permission denied',
    );
  },
);

test.skipIf(!isRoot)('startEmbeddedServer keeps the account of an existing cluster', async () => {
  await start();
  const uid = serverUid();
  await servers.splice(0).at(0)?.stop();
  await start();
  expect(serverUid()).toBe(uid);
});

test.skipIf(!isRoot).each([
  ['nobody (previous versions)', 65_534],
  ['root (after a restore)', 0],
])('startEmbeddedServer transfers a cluster with files of %s to a separate account', async (_, former) => {
  const dir = join(dataDir, 'postgres');
  execFileSync('chown', ['-R', String(former), dir]);
  const { connectionString } = await start();
  expect(serverUid()).not.toBe(former);
  expect(ownersOf(dir)).toEqual(new Set([serverUid()]));
  expect(await query(connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.skipIf(!isRoot)(
  'startEmbeddedServer completes an interrupted transfer of a cluster to another account',
  async () => {
    const dir = join(dataDir, 'postgres');
    const { uid } = statSync(dir);
    execFileSync('chown', ['-R', '65534', join(dir, 'base')]);
    await start();
    expect(serverUid()).toBe(uid);
    expect(ownersOf(dir)).toEqual(new Set([uid]));
  },
);

test.skipIf(!isRoot)(
  'startEmbeddedServer does not transfer a cluster that belongs to a named user',
  async () => {
    const [, uid] = /^(?!nobody)[^:]+:[^:]*:([1-9]\d*):/m.exec(passwd) ?? [];
    execFileSync('chown', ['-R', String(uid), join(dataDir, 'postgres')]);
    await start();
    expect(serverUid()).toBe(Number(uid));
  },
);

test.skipIf(!isLinux)(
  'the embedded server does not inherit the environment of Sluice, which may contain secrets',
  async () => {
    await start();
    expect(readFileSync(`/proc/${postmasterPid()}/environ`, 'utf8')).not.toMatch(/PATH|HOME|SLUICE/);
  },
);
