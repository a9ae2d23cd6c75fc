import { join } from 'node:path';
import type { Config } from '#config/config.ts';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import type { Logger } from '#platform/logger.ts';
import { orAborted } from '#platform/or-aborted.ts';
import { openDispatcher } from './connection-dispatcher.ts';
import { lockDataFolder } from './data-folder.ts';
import { startSandbox } from './sandbox-process.ts';
import { loadSecret } from './secret.ts';
import { listSlotDirs, lockSlot, makeSlotDirs } from './slot.ts';
import { type StopSignals, watchStopSignals } from './stop-signals.ts';
import { startWorkers } from './worker-pool.ts';

/** Where the database is, and the master key of what it keeps encrypted. */
export interface Database {
  connectionString: string;
  directConnectionString: string;
  secret: string;
}

export interface SuperviseOptions {
  config: Config;
  log: Logger;
  /** The main files of the processes, as absolute paths. */
  workerFile: string;
  sandboxFile: string;
  /** Whether another start has written to the database before. */
  isDatabaseInUse: (directConnectionString: string) => Promise<boolean>;
  /** Migrations and what a first run needs. */
  prepareDatabase: (database: Database) => Promise<void>;
  /** Ships what a dead worker left in its journal folder; no living process uses that folder meanwhile. */
  replaySlot: (slotDir: string, database: Database) => Promise<void>;
  /** Called once, just before the first answer can leave, so that what it prints is there when somebody looks. */
  onOpen?: (supervised: Supervised) => void;
  /** How long requests in flight may take to finish. */
  drainTimeoutMs?: number;
}

/** What runs once `supervise` has resolved. */
export interface Supervised {
  host: string;
  port: number;
  sandboxOrigin: string | null;
}

// Streams get 30 seconds to finish, what follows them a little more.
const defaultDrainTimeoutMs = 35_000;
// Per worker: 1 for leases, 1 for shipping, 5 for the console and the snapshot, 1 for notifications.
const connectionsPerWorker = 8;
const spareConnections = 20;

/**
 * Runs Sluice: takes the data folder, starts the database, the sandbox and the workers, and keeps them running.
 * Resolves when every worker is ready; rejects, with everything stopped again, when the start fails.
 * When it is told to stop it drains the workers, stops what it started in reverse order and ends the process.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const signals = watchStopSignals();
  const running = new AsyncDisposableStack();
  const shutDown = async () => {
    options.log.info('stopping, requests in flight may finish');
    await running.disposeAsync();
    process.exit(signals.forced.aborted ? 1 : 0);
  };
  try {
    const supervised = await start(running, options, signals);
    signals.requested.addEventListener('abort', shutDown);
    return supervised;
  } catch (error) {
    if (signals.requested.aborted) await shutDown();
    signals.stopWatching();
    await running.disposeAsync();
    throw error;
  }
}

async function start(
  running: AsyncDisposableStack,
  options: SuperviseOptions,
  { requested, forced }: StopSignals,
): Promise<Supervised> {
  const { config, log, drainTimeoutMs = defaultDrainTimeoutMs } = options;
  const lock = await orAborted(requested, () => lockDataFolder(config.dataDir, log));
  running.defer(lock.release);
  requested.addEventListener('abort', lock.announceRelease);
  const dispatcher = await openDispatcher(config.http);
  running.defer(dispatcher.close);
  const database = await openDatabase(running, options);
  await orAborted(requested, () => options.prepareDatabase(database));
  const sandboxOrigin = config.isSandboxEnabled ? await openSandbox(running, options) : null;

  const journalDir = join(config.dataDir, 'journal');
  const slotDirs = makeSlotDirs(journalDir, config.workers);
  const replay = (slotDir: string) => replayLocked(slotDir, () => options.replaySlot(slotDir, database));
  for (const slotDir of listSlotDirs(journalDir)) await orAborted(requested, () => replay(slotDir));

  const { admin: _, ...workerConfig } = config;
  const supervised = { host: config.http.host, port: dispatcher.port, sandboxOrigin };
  let isOpen = false;
  const workers = startWorkers({
    file: options.workerFile,
    boots: slotDirs.map((slotDir, slot) => ({
      config: workerConfig,
      slot,
      slotDir,
      sandboxOrigin,
      ...database,
    })),
    onReady(receiver) {
      if (!isOpen) options.onOpen?.(supervised);
      isOpen = true;
      dispatcher.add(receiver);
    },
    replay,
    drainTimeoutMs,
    forced,
    log,
  });
  running.defer(workers.stop);
  // Again, as the first thing to stop: nothing new may come in while workers drain.
  running.defer(dispatcher.close);
  await orAborted(requested, workers.whenReady);
  return supervised;
}

async function openDatabase(
  running: AsyncDisposableStack,
  { config, log, isDatabaseInUse }: SuperviseOptions,
): Promise<Database> {
  const addresses = config.database
    ? { connectionString: config.database.url, directConnectionString: config.database.directUrl }
    : await openEmbeddedServer(running, config, log);
  const secret = await loadSecret({
    configured: config.secret,
    dataDir: config.dataDir,
    isDatabaseInUse: () => isDatabaseInUse(addresses.directConnectionString),
  });
  return { ...addresses, secret };
}

async function openEmbeddedServer(running: AsyncDisposableStack, config: Config, log: Logger) {
  const maxConnections = config.workers * connectionsPerWorker + spareConnections;
  const server = await startEmbeddedServer({ dataDir: config.dataDir, maxConnections, log });
  running.defer(server.stop);
  return { connectionString: server.connectionString, directConnectionString: server.connectionString };
}

async function openSandbox(
  running: AsyncDisposableStack,
  { sandboxFile, log }: SuperviseOptions,
): Promise<string> {
  const sandbox = await startSandbox(sandboxFile, log);
  running.defer(sandbox.stop);
  return sandbox.origin;
}

async function replayLocked(slotDir: string, replay: () => Promise<void>): Promise<void> {
  const lock = await lockSlot(slotDir);
  try {
    await replay();
  } finally {
    lock.release();
  }
}
