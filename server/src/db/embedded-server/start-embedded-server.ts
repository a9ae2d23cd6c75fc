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

/** Folder of the server's socket and access rules. Created for each start, so that it contains no outdated files. */
export interface RunDir {
  path: string;
  remove(): void;
}

const ownerFile = 'data-folder';
// Maximum length of the parent folder's path in bytes. The kernel limits socket paths to 104 to 108 bytes, including
// the names of the folder and the socket.
const maxParentBytes = 65;

const linkIn = (dataDir: string) => join(dataDir, 'postgres-run');

const readRunDir = (dataDir: string): string => readlinkSync(linkIn(dataDir));

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

// Another account may be unable to access root's temporary folder.
function chooseParent(account: Account): string {
  return account || Buffer.byteLength(tmpdir()) > maxParentBytes ? '/tmp' : tmpdir();
}

/**
 * Removes the linked folder only if it belongs to this data folder. In a copy of the data folder, the link points to
 * the socket of the original.
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
  /** Connection string for `pg`. Uses a Unix socket that only the user of this process may access. */
  connectionString: string;
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  maxConnections: number;
  log: Logger;
  settings?: ServerSettings;
}

const applicationDatabase = 'sluice';

/**
 * Runs PostgreSQL on `<dataDir>/postgres` until `stop` is called, and restarts PostgreSQL whenever it exits. The
 * caller must hold the data folder's lock: a server that is already running on the cluster is considered left over
 * and is stopped.
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

/**
 * Returns a connection string with all parts set. `pg` reads missing parts from PG* variables, which may be meant for
 * another server.
 */
function addressOf(role: string, database: string, socketDir: string): string {
  return `postgresql://${role}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

/** The owner is the application's role, which is not a superuser, as on external servers. */
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

type ServerSettings = Readonly<Record<string, string | number>>;

/**
 * Returns server arguments for settings that differ from PostgreSQL's defaults, sized for a small machine. Durability
 * settings are always explicit.
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
    // JIT compilation costs more than it saves for queries that run for milliseconds.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Do not log statements and error details, which contain row values. The process that sent a statement reports
    // its error.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
