import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '#config/config.ts';
import { countShippers } from '#config/fit-connections.ts';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import type { Logger } from '#platform/logger.ts';
import { orAborted } from '#platform/wait.ts';
import { createDispatcher } from './connection-dispatcher.ts';
import { lockDataFolder } from './data-folder.ts';
import { checkListenAddress } from './listen-address.ts';
import type { Shipped, ShipperBoot } from './messages.ts';
import { createNodeMetrics } from './node-metrics.ts';
import { createOverflowAnswers } from './overflow-answers.ts';
import { startSandbox } from './sandbox-process.ts';
import { loadSecret } from './secret.ts';
import { startShippers } from './shipper-process.ts';
import { afterRequestsMs, findStopTimeMs, type StopSignals, watchStopSignals } from './stop-signals.ts';
import { watchNode } from './watch-node.ts';
import {
  listSlotDirs,
  makeSlotDirs,
  refuseFormerJournals,
  startWorkers,
  type WorkerPool,
} from './worker-pool.ts';

/** The port is closed until the start is complete, so the steps are logged. */
interface StartProgress {
  begin(step: string): void;
  end(): void;
}

const everyMs = 10_000;

export function createStartProgress(log: Pick<Logger, 'info'>): StartProgress {
  const startedAtMs = performance.now();
  let step = '';
  const say = (words: string) => {
    const elapsedSeconds = Math.round((performance.now() - startedAtMs) / 1000);
    log.info({ step, elapsedSeconds }, words);
  };
  const timer = setInterval(() => say('still starting; the port is closed until this step is done'), everyMs);
  return {
    begin(next) {
      step = next;
      say('starting');
    },
    end: () => clearInterval(timer),
  };
}

export interface Database {
  connectionString: string;
  directConnectionString: string;
  secret: string;
}

export interface SuperviseOptions {
  config: Config;
  log: Logger;
  workerFile: string;
  shipperFile: string;
  sandboxFile: string;
  /** Returns whether the database contains data of an earlier run. */
  isDatabaseInUse: (directConnectionString: string) => Promise<boolean>;
  prepareDatabase: (database: Database) => Promise<void>;
  /** Called once, immediately before the first response can be sent, so that its output precedes all responses. */
  onOpen?: (supervised: Supervised) => void;
  /** Defaults to a few seconds after the drain timeout. */
  killAfterMs?: number;
}

export interface Supervised {
  host: string;
  port: number;
  sandboxOrigin: string | null;
}

const spareConnections = 20;

/**
 * Locks the data folder and starts the database, sandbox and workers. Resolves when every worker is ready. A failed
 * start stops all processes and rejects. A stop request drains the workers and exits the process.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const signals = watchStopSignals();
  const running = new AsyncDisposableStack();
  const started = limitStopOfStart(signals);
  const shutDown = async () => {
    options.log.info(options.config.drain, 'stopping; requests in flight can finish');
    await running.disposeAsync();
    process.exit(signals.forced.aborted ? 1 : 0);
  };
  try {
    const supervised = await start(running, options, signals);
    started();
    signals.requested.addEventListener('abort', shutDown);
    return supervised;
  } catch (error) {
    if (signals.requested.aborted) await shutDown();
    signals.stopWatching();
    await running.disposeAsync();
    throw error;
  }
}

/** Longer than the 20 seconds that PostgreSQL takes at most to shut down. */
const stopOfStartMs = 30_000;

/**
 * Exits the process if startup cannot be aborted within `stopOfStartMs`, or immediately on a forced stop. Returns a
 * function that removes these listeners.
 */
function limitStopOfStart({ requested, forced }: StopSignals): () => void {
  const end = () => process.exit(1);
  const limit = () => void setTimeout(end, stopOfStartMs).unref();
  requested.addEventListener('abort', limit);
  forced.addEventListener('abort', end);
  return () => {
    requested.removeEventListener('abort', limit);
    forced.removeEventListener('abort', end);
  };
}

async function start(
  running: AsyncDisposableStack,
  options: SuperviseOptions,
  { requested, forced }: StopSignals,
): Promise<Supervised> {
  const { config, log, killAfterMs = config.drain.timeoutMs + afterRequestsMs } = options;
  const lock = await orAborted(requested, () =>
    lockDataFolder(config.dataDir, log, findStopTimeMs(config.drain)),
  );
  running.defer(lock.release);
  requested.addEventListener('abort', lock.announceRelease);
  await orAborted(requested, () => checkListenAddress(config.http));
  const dispatcher = createDispatcher({ ...config.http, answerOverflow: createOverflowAnswers() });
  const progress = createStartProgress(log);
  running.defer(progress.end);
  const database = await openDatabase(running, options, progress);
  progress.begin('prepare the database');
  await orAborted(requested, () => options.prepareDatabase(database));
  const sandboxOrigin = config.isSandboxEnabled ? await openSandbox(running, options) : null;

  const journalDir = join(config.dataDir, 'journal');
  const slotDirs = makeSlotDirs(journalDir, config.workers);
  refuseFormerJournals(listSlotDirs(journalDir));
  const boots = shipperBoots(config, listSlotDirs(journalDir), database);
  const onShipped = (shipped: Shipped) => workers.sendShipped(shipped);
  const metrics = createNodeMetrics(dispatcher.countShed);
  const shippers = startShippers({ file: options.shipperFile, boots, metrics, onShipped, forced, log });
  running.defer(shippers.stop);
  const { admin: _, ...workerConfig } = config;
  const boot = { config: workerConfig, sandboxOrigin, ...database };
  progress.begin(`start ${config.workers === 1 ? '1 worker' : `${config.workers} workers`}`);
  const workers = startWorkers({
    file: options.workerFile,
    boots: slotDirs.map((slotDir, slot) => ({ ...boot, slot, slotDir })),
    metrics,
    onReady: dispatcher.add,
    killAfterMs,
    forced,
    log,
  });
  running.defer(workers.stop);
  running.defer(dispatcher.close);
  await orAborted(requested, workers.whenReady);
  progress.end();
  const supervised = { host: config.http.host, port: await dispatcher.open(), sandboxOrigin };
  options.onOpen?.(supervised);
  running.defer(watchNode({ journalDir, ...dispatcher, ...shippers, onChange: workers.sendUnready, log }));
  running.defer(() => announceStop(workers, config.drain.delayMs, forced));
  return supervised;
}

async function announceStop(workers: WorkerPool, delayMs: number, forced: AbortSignal): Promise<void> {
  workers.sendUnready('draining');
  await pause(delayMs, undefined, { signal: forced }).catch(() => undefined);
}

async function openDatabase(
  running: AsyncDisposableStack,
  { config, log, isDatabaseInUse }: SuperviseOptions,
  progress: StartProgress,
): Promise<Database> {
  progress.begin(config.database ? 'connect to the database' : 'start the embedded database');
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
  const maxConnections =
    config.workers * config.connectionsPerWorker + countShippers(config.workers) + spareConnections;
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

/** Includes slots of previous workers, which may contain unshipped records. */
function shipperBoots(
  { bodyStore, formerSecrets, logLevel, logStoreUrl, searchedLength, workers }: Config,
  slotDirs: string[],
  { connectionString, directConnectionString, secret }: Database,
): ShipperBoot[] {
  const count = countShippers(workers);
  return Array.from({ length: count }, (_, shipper) => ({
    slotDirs: slotDirs.filter((_dir, index) => index % count === shipper),
    connectionString,
    directConnectionString,
    logStoreUrl,
    bodyStore,
    searchedLength,
    secret,
    formerSecrets,
    logLevel,
  }));
}
