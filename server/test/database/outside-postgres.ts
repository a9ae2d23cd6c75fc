import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../processes/free-port.ts';

/** External PostgreSQL server over TCP, with logins and access rules as on a user's server. */
export interface OutsidePostgres {
  readonly port: number;
  /** URL of the superuser, who needs no password. */
  readonly adminUrl: string;
  readonly caFile: string;
  run(statement: string, database?: string): Promise<void>;
  stop(): Promise<void>;
}

const packagesDir = '/usr/lib/postgresql';
const certificateProgram = 'openssl';

/**
 * Returns the folders of the installed PostgreSQL servers, oldest version first. `SLUICE_TEST_POSTGRES` overrides the
 * folders.
 */
export function findPostgresBinaries(): string[] {
  const given = process.env.SLUICE_TEST_POSTGRES;
  if (given) return [given];
  if (!existsSync(packagesDir)) return [];
  const dirs = readdirSync(packagesDir)
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => join(packagesDir, version, 'bin'));
  return dirs.filter((dir) => existsSync(join(dir, 'initdb')));
}

/** Returns an OS account for the server, since PostgreSQL does not run as root. */
function findAccount(): { uid: number; gid: number } {
  const { uid, gid } = userInfo();
  if (uid !== 0) return { uid, gid };
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/** `rules` are lines of pg_hba.conf that precede the superuser's rule. */
export async function startOutsidePostgres(
  binDir: string,
  { rules = [], settings = {} }: { rules?: readonly string[]; settings?: Record<string, string> } = {},
): Promise<OutsidePostgres> {
  const account = findAccount();
  const dir = mkdtempSync(join(tmpdir(), 'outside-postgres-'));
  chownSync(dir, account.uid, account.gid);
  const dataDir = join(dir, 'data');
  execFileSync(join(binDir, 'initdb'), ['-D', dataDir, '-U', 'admin', '-A', 'trust', '--no-sync'], {
    ...account,
    stdio: 'ignore',
  });
  const caFile = makeCertificate(dir, account);
  writeFileSync(
    join(dataDir, 'pg_hba.conf'),
    `${[...rules, 'host all admin 127.0.0.1/32 trust'].join('\n')}\n`,
  );
  return launch({ binDir, dir, dataDir, caFile, account, settings });
}

/** Streams from `primary`, which requires a rule for `replication`. */
export async function startStandby(binDir: string, primary: OutsidePostgres): Promise<Standby> {
  const account = findAccount();
  const dir = mkdtempSync(join(tmpdir(), 'outside-standby-'));
  chownSync(dir, account.uid, account.gid);
  const dataDir = join(dir, 'data');
  const program = [join(binDir, 'pg_basebackup'), '/usr/bin/pg_basebackup'].find(existsSync);
  if (!program) throw new Error('pg_basebackup is not installed');
  const source = `postgresql://admin@127.0.0.1:${primary.port}/`;
  execFileSync(program, ['-D', dataDir, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source], {
    ...account,
    stdio: 'ignore',
  });
  const server = await launch({
    binDir,
    dir,
    dataDir,
    caFile: makeCertificate(dir, account),
    account,
    settings: {},
  });
  return { ...server, promote: () => server.run('SELECT pg_promote(true)') };
}

export interface Standby extends OutsidePostgres {
  promote(): Promise<void>;
}

interface Launch {
  readonly binDir: string;
  readonly dir: string;
  readonly dataDir: string;
  readonly caFile: string;
  readonly account: { uid: number; gid: number };
  readonly settings: Record<string, string>;
}

async function launch({ binDir, dir, dataDir, caFile, account, settings }: Launch): Promise<OutsidePostgres> {
  const port = await findFreePort();
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: caFile,
    ssl_key_file: join(dir, 'key.pem'),
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binDir, 'postgres'), ['-D', dataDir, ...args], { ...account, stdio: 'ignore' });
  const adminUrl = `postgresql://admin@127.0.0.1:${port}/postgres`;
  const run = (statement: string, database = 'postgres') =>
    runStatement(`postgresql://admin@127.0.0.1:${port}/${database}`, statement);
  await untilAnswering(server, () => run('SELECT 1'));
  return {
    port,
    adminUrl,
    caFile,
    run,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function runStatement(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function untilAnswering(server: ChildProcess, ask: () => Promise<void>): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL exited with ${server.exitCode}`);
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function makeCertificate(dir: string, { uid, gid }: { uid: number; gid: number }): string {
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'ca.pem')];
  execFileSync(
    certificateProgram,
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'].concat([
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ]),
    { stdio: 'ignore' },
  );
  for (const path of [key, certificate]) chownSync(path, uid, gid);
  return certificate;
}
