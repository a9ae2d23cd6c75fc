import {
  chownSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { keepRunning } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { applicationRole, bootstrapRole, writeAccessRules } from './access.ts';
import type { Account } from './account.ts';
import { clusterDirOf, prepareCluster } from './cluster.ts';
import { endLeftovers } from './leftovers.ts';
import { launchPostmaster } from './postmaster.ts';

/** Folder of the server's socket and access rules, new for each start so that it contains no outdated files. */
export interface RunDir {
  path: string;
  remove(): void;
}

const ownerFile = 'data-folder';
// The kernel limits socket paths to 104 to 108 bytes; the names of the folder and the socket take 35.
const maxParentBytes = 65;

const linkIn = (dataDir: string) => join(dataDir, 'postgres-run');

/** Returns the run folder of the server that uses the data folder. */
const readRunDir = (dataDir: string): string => readlinkSync(linkIn(dataDir));

/** Creates the folder and links `<dataDir>/postgres-run` to it; removes the folder of a killed process. */
function createRunDir(dataDir: string, account: Account): RunDir {
  const link = linkIn(dataDir);
  const remove = () => removeLinked(link, dataDir);
  remove();
  const path = mkdtempSync(join(chooseParent(account), 'sluice-'));
  writeFileSync(join(path, ownerFile), dataDir);
  writeAccessRules(path);
  if (account) chownSync(path, account.uid, account.gid);
  symlinkSync(path, link);
  return { path, remove };
}

// Another account may be unable to reach root's temporary folder.
function chooseParent(account: Account): string {
  return account || Buffer.byteLength(tmpdir()) > maxParentBytes ? '/tmp' : tmpdir();
}

/**
 * Removes the linked folder only if it belongs to this data folder: in a copy, the link points to the socket of the
 * original.
 */
function removeLinked(link: string, dataDir: string): void {
  try {
    const path = readlinkSync(link);
    if (readFileSync(join(path, ownerFile), 'utf8') === dataDir) rmSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  rmSync(link, { force: true });
}

export interface EmbeddedServer {
  /** Connection string for `pg`, over a Unix socket that only the user of this process may use. */
  connectionString: string;
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  maxConnections: number;
  log: Logger;
  /** Overrides of the settings that Sluice uses. */
  settings?: ServerSettings;
}

const applicationDatabase = 'sluice';

/**
 * Runs PostgreSQL on `<dataDir>/postgres` until `stop`, and restarts it whenever it exits. The caller must hold the
 * lock of the data folder: a server that already runs on the cluster is considered left over and is stopped.
 */
export async function startEmbeddedServer({
  dataDir,
  maxConnections,
  log,
  settings = {},
}: Options): Promise<EmbeddedServer> {
  await endLeftovers(clusterDirOf(dataDir), log);
  const cluster = await prepareCluster(dataDir);
  const runDir = createRunDir(dataDir, cluster.account);
  const launch = async () => {
    await endLeftovers(cluster.dir, log);
    return launchPostmaster(cluster, serverArguments(runDir.path, maxConnections, settings), log);
  };
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(runDir.remove);
  cleanup.defer(keepRunning(await launch(), { name: 'PostgreSQL', launch, log }));
  await ensureDatabase(addressOf(bootstrapRole, 'postgres', runDir.path));
  const running = cleanup.move();
  return {
    connectionString: addressOf(applicationRole, applicationDatabase, runDir.path),
    stop: () => running.disposeAsync(),
  };
}

/** Returns the connection string of the server that another process runs on the data folder. */
export function addressOfRunning(dataDir: string): string {
  return addressOf(applicationRole, applicationDatabase, readRunDir(dataDir));
}

/** Sets every part, because `pg` takes missing parts from PG* variables, which may be meant for another server. */
function addressOf(role: string, database: string, socketDir: string): string {
  return `postgresql://${role}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

/** Creates the database. Its owner is the application's role, which is not a superuser, as on external servers. */
async function ensureDatabase(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [applicationRole]);
    if (roles.rowCount === 0) await client.query(`CREATE ROLE ${applicationRole} LOGIN CREATEROLE`);
    const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      applicationDatabase,
    ]);
    if (databases.rowCount === 0) {
      await client.query(`CREATE DATABASE ${applicationDatabase} OWNER ${applicationRole}`);
    }
  } finally {
    await client.end();
  }
}

/** Names and values of `postgresql.conf`. */
type ServerSettings = Readonly<Record<string, string | number>>;

/**
 * Returns the settings that differ from PostgreSQL's defaults, sized for a small machine. Durability is always set
 * explicitly.
 */
function serverArguments(runDir: string, maxConnections: number, overrides: ServerSettings): string[] {
  const settings: ServerSettings = {
    listen_addresses: '',
    unix_socket_directories: runDir,
    hba_file: `${runDir}/pg_hba.conf`,
    ident_file: `${runDir}/pg_ident.conf`,
    max_connections: maxConnections,
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    wal_compression: 'pglz',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // Compiling costs more than it saves on queries that take milliseconds.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Statements and error details contain row values; errors are reported by the process that sent the statement.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
