import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { startSandbox } from '@sluice/sandbox';
import { inject } from 'vitest';
import { readConfig } from '../server/src/config/read-config.ts';
import { prepareDatabase } from '../server/src/console/first-run/prepare-database.ts';
import { addressOfRunning } from '../server/src/db/embedded-server/start-embedded-server.ts';
import { createLogger } from '../server/src/platform/logger.ts';
import { startWorker } from '../server/test/console/console-server.ts';
import { createClusterDatabase } from '../server/test/database/cluster-database.ts';
import type { TestCluster } from '../server/test/database/database-cluster.ts';
import { findFreePort } from '../server/test/processes/free-port.ts';
import { makeLastingKey } from '../server/test/processes/lasting-key.ts';
import { fastStart } from '../server/test/processes/run-command.ts';

const root = join(import.meta.dirname, '..');
const password = 'e2e-password';
const startLimitMs = 150_000;
const stopLimitMs = 15_000;

export interface RunningSluice extends FirstSetup {
  readonly url: string;
  /** The role has all privileges. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/** Credentials that only the first start with a data folder prints. */
export interface FirstSetup {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** The database is set up once and copied by each `startSluice`. */
export interface PreparedDatabase {
  readonly clusterUrl: string;
  readonly name: string;
  readonly secret: string;
  readonly setup: FirstSetup;
}

/**
 * Starts a worker with all of its planes in this process, because separate processes would take as long as several
 * tests.
 */
export async function startSluice(settings: Record<string, string> = {}): Promise<RunningSluice> {
  const { clusterUrl, name, secret, setup } = inject('preparedDatabase');
  await using cleanup = new AsyncDisposableStack();
  const { connectionString, close } = await createClusterDatabase(clusterUrl, name);
  cleanup.defer(close);
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  // Tests may leave streams open.
  const variables = { SLUICE_DRAIN_TIMEOUT: '1 s', ...settings };
  const worker = await startWorker({ connectionString, secret, sandboxOrigin: sandbox.origin, variables });
  cleanup.defer(() => worker.close());
  const running = cleanup.move();
  return { ...setup, url: worker.origin, databaseUrl: connectionString, stop: () => running.disposeAsync() };
}

/** Starts the whole product and waits until it prints its URL. Starts one worker by default. */
export function startProduct(
  settings: Record<string, string> = {},
  program?: readonly string[],
): Promise<RunningSluice> {
  return startOnCopy(inject('runFolder'), inject('firstSetup'), settings, program);
}

/** For use before test files run. */
export async function startOnCopy(
  runFolder: string,
  firstSetup: FirstSetup,
  settings: Record<string, string> = {},
  program = product,
): Promise<RunningSluice> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'sluice-e2e-'));
  const remove = () => rm(dataFolder, { recursive: true, force: true });
  try {
    // The database files belong to a separate OS account, which `-p` preserves.
    await promisify(execFile)('cp', ['-Rp', `${preparedIn(runFolder)}/.`, dataFolder]);
    const { url, stop } = await runSluice(dataFolder, { SLUICE_WORKERS: '1', ...settings }, program);
    return {
      ...firstSetup,
      url,
      databaseUrl: addressOfRunning(dataFolder),
      stop: () => stop().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

export interface EmptySluice extends Omit<RunningSluice, 'apiKey' | 'databaseUrl'> {
  readonly consoleUrl: string;
  readonly startSeconds: number;
}

/** Takes several seconds longer than `startProduct`. */
export async function startEmptySluice(settings: Record<string, string> = {}): Promise<EmptySluice> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'sluice-e2e-empty-'));
  const remove = () => rm(dataFolder, { recursive: true, force: true });
  const startedMs = performance.now();
  try {
    const { url, welcome, stop } = await runSluice(dataFolder, settings);
    const startSeconds = (performance.now() - startedMs) / 1000;
    const password = /Password +(\S+)/.exec(welcome)?.[1];
    if (password === undefined) throw new Error(`No password in the welcome:\n${welcome}`);
    const consoleUrl = /Console +(\S+)/.exec(welcome)?.[1] ?? url;
    const stopAll = () => stop().finally(remove);
    return { url, consoleUrl, email: emailIn(welcome), password, startSeconds, stop: stopAll };
  } catch (error) {
    await remove();
    throw error;
  }
}

function emailIn(welcome: string): string {
  const email = /[\w.+-]+@[\w.-]+\w/.exec(welcome)?.[0];
  if (email === undefined) throw new Error(`No account in the welcome:\n${welcome}`);
  return email;
}

const preparedIn = (runFolder: string) => join(runFolder, 'data');

/** Creates the folder that `startProduct` copies. */
export async function prepareData(runFolder: string): Promise<FirstSetup> {
  const settings = { SLUICE_ADMIN_PASSWORD: password, SLUICE_WORKERS: '1' };
  const { url, welcome, stop } = await runSluice(preparedIn(runFolder), settings);
  try {
    const email = emailIn(welcome);
    return { email, password, apiKey: await makeLastingKey(url, { email, password }) };
  } finally {
    await stop();
  }
}

/** Sets up the database that `startSluice` copies. */
export async function setUpDatabase({ url: clusterUrl, template }: TestCluster): Promise<PreparedDatabase> {
  const secret = 'a master secret for journeys only';
  const { connectionString, pool } = await createClusterDatabase(clusterUrl, template);
  // PostgreSQL can copy a database only while no connection is open.
  await pool.end();
  const addresses = { connectionString, directConnectionString: connectionString, secret };
  const config = readConfig({ SLUICE_ADMIN_PASSWORD: password });
  const setup = await prepareDatabase(config, addresses, createLogger('warn'));
  if (!setup) throw new Error('the database of the journeys was already set up');
  const { email } = setup;
  const worker = await startWorker({ connectionString, secret });
  const apiKey = await makeLastingKey(worker.origin, { email, password });
  await worker.close();
  const name = new URL(connectionString).pathname.slice(1);
  return { clusterUrl, name, secret, setup: { email, password, apiKey } };
}

interface Run {
  readonly url: string;
  readonly welcome: string;
  stop(): Promise<void>;
}

const product: readonly string[] = ['server/src/product/main.ts'];

async function runSluice(
  dataFolder: string,
  settings: Record<string, string>,
  program = product,
): Promise<Run> {
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), program, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...fastStart,
      PORT: String(await findFreePort()),
      SLUICE_DATA_DIR: dataFolder,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithTests = () => child.kill();
  process.once('exit', endWithTests);
  const stop = async () => {
    process.off('exit', endWithTests);
    await stopProcess(child);
  };
  try {
    return { ...(await readWelcome(child)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Welcome = Pick<Run, 'url' | 'welcome'>;

async function readWelcome(child: ChildProcess): Promise<Welcome> {
  let output = '';
  const welcome = Promise.withResolvers<Welcome>();
  const note = (chunk: Buffer) => {
    output += stripVTControlCharacters(chunk.toString());
    // The welcome message is printed at once. Matching the line break ensures that the URL is complete.
    const url = /Console +(https?:\/\/[\w.[\]:-]+)\/admin\n/.exec(output)?.[1];
    if (url !== undefined) welcome.resolve({ url, welcome: output });
  };
  const fail = (reason: string) => welcome.reject(new Error(`Sluice ${reason}. It printed:\n${output}`));
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  child.once('error', (error) => fail(`did not start (${error.message})`));
  child.once('exit', (code, signal) => fail(`exited with ${code ?? signal} before it was ready`));
  const limit = setTimeout(fail, startLimitMs, `did not print its URL within ${startLimitMs / 1000} s`);
  return welcome.promise.finally(() => clearTimeout(limit));
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  await exited;
  clearTimeout(limit);
}
