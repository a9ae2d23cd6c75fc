import { Client } from 'pg';
import { keepRunning } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { applicationRole, bootstrapRole } from './access.ts';
import { clusterDirOf, prepareCluster } from './cluster.ts';
import { endLeftovers } from './leftovers.ts';
import { launchPostmaster } from './postmaster.ts';
import { createRunDir, readRunDir } from './run-dir.ts';
import { type ServerSettings, serverArguments } from './settings.ts';

export interface EmbeddedServer {
  /** Connection string for `pg`, over a Unix socket that only the user of this process may use. */
  connectionString: string;
  stop(): Promise<void>;
}

/** An absolute path. */
interface Options {
  dataDir: string;
  maxConnections: number;
  log: Logger;
  /** Override those of the product. */
  settings?: ServerSettings;
}

const applicationDatabase = 'sluice';

/**
 * Runs PostgreSQL on `<dataDir>/postgres` until `stop`, and restarts it whenever it dies. Requires the lock of the data
 * folder: a server already running on the cluster is considered left over and ended.
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

/** Sets every part, because `pg` fills gaps from PG* variables meant for another server. */
function addressOf(role: string, database: string, socketDir: string): string {
  return `postgresql://${role}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

/** Creates the database; the application owns it but is not a superuser, as on external servers. */
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
