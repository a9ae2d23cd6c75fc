import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UnreadyReason } from '@sluice/contract';
import type { Sandbox } from '@sluice/sandbox';
import { startSandbox } from '@sluice/sandbox';
import type pg from 'pg';
import { readConfig } from '#config/read-config.ts';
import { prepareDatabase } from '#console/first-run/prepare-database.ts';
import { defaultTimeouts, type ProviderTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger, type LogLevel } from '#platform/logger.ts';
import { openShipper } from '#shipper/open-shipper.ts';
import type { WorkerBoot } from '#supervisor/messages.ts';
import { nameRun } from '#supervisor/worker-pool.ts';
import { createApp } from '#worker/app.ts';
import type { TestDatabase } from '../database/cluster-database.ts';
import { createTestDatabase } from '../database/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../database/database-proxy.ts';
import { createSeeder, type Seeder } from '../database/seed.ts';
import { findFreePort } from '../processes/free-port.ts';
import { listen } from '../processes/listen.ts';
import { createRowReader, type RowReader } from '../requests/request-rows.ts';
import { shipEveryMs } from './console-server.ts';

const password = 'gateway-test-password';
export const masterSecret = 'a master secret for the tests only';

export interface TestGateway extends RowReader {
  readonly origin: string;
  readonly port: number;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
  readonly pool: pg.Pool;
  readonly sandbox: Sandbox;
  readonly seed: Seeder;
  readonly providerFailures: readonly { level: string; msg: string }[];
  /** Worker log entries about a lost or restored database connection. A busy machine causes such entries as well. */
  readonly outages: readonly { level: string; msg: string }[];
  /** All other worker log entries, at warning level or above unless `logLevel` is set. */
  readonly problems: readonly { level: string; msg: string }[];
  /** Sends `init.body` unchanged, if given. */
  complete(body: object, init?: RequestInit & { apiKey?: string }): Promise<Response>;
  /** Reports to the worker why the node is not ready, in place of the supervisor. */
  noteUnready(reason: UnreadyReason | null): void;
  drain(): Promise<void>;
  readonly databaseProxy: DatabaseProxy;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  seed?: (seed: Seeder) => Promise<unknown>;
  env?: Record<string, string>;
  timeouts?: Partial<ProviderTimeouts>;
  logLevel?: LogLevel;
}

export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { seed: sow, env, timeouts, logLevel = 'warn' } = options;
  await using cleanup = new AsyncDisposableStack();
  const database = await createTestDatabase();
  cleanup.defer(() => database.close());
  const slotDir = await mkdtemp(join(tmpdir(), 'sluice-slot-'));
  cleanup.defer(() => rm(slotDir, { recursive: true, force: true }));
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());

  const { pool } = database;
  const config = await configure(slotDir, env);
  const setup = await setUp(config, database);
  const seed = await createSeeder(pool, createKeyring(masterSecret), sandbox.origin);
  await sow?.(seed);
  const databaseProxy = await startDatabaseProxy(database.connectionString);
  cleanup.defer(() => databaseProxy.close());
  const { connectionString } = databaseProxy;
  const boot = {
    config,
    slot: 0,
    journalDir: nameRun(join(slotDir, 'slot-0')),
    sandboxOrigin: sandbox.origin,
    connectionString,
    directConnectionString: connectionString,
    secret: masterSecret,
  };
  const worker = await startWorker(boot, { ...defaultTimeouts, ...timeouts }, logLevel);
  cleanup.defer(() => worker.drain(stopMs));

  const origin = `http://127.0.0.1:${config.http.port}`;
  const running = cleanup.move();
  return {
    ...createRowReader(pool),
    ...worker,
    origin,
    port: config.http.port,
    apiKey: setup.apiKey,
    admin: { email: setup.email, password },
    pool,
    sandbox,
    seed,
    databaseProxy,
    complete: (body, init) => complete(origin, setup.apiKey, body, init),
    stop: () => running.disposeAsync(),
  };
}

async function configure(slotDir: string, env: Record<string, string> | undefined) {
  const config = readConfig({
    SLUICE_ADMIN_PASSWORD: password,
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    SLUICE_DATA_DIR: slotDir,
    ...env,
  });
  config.http.port = await findFreePort();
  return config;
}

async function setUp(config: ReturnType<typeof readConfig>, { connectionString, pool }: TestDatabase) {
  const addresses = { connectionString, directConnectionString: connectionString, secret: masterSecret };
  const setup = await prepareDatabase(config, addresses, createLogger('warn'));
  if (!setup) throw new Error('the test database was already set up');
  // The first key would expire when another key is used, which tests do.
  await pool.query('UPDATE installation SET first_key_id = NULL');
  return setup;
}

/** Maximum time for a shipper to stop in a test that reads its rows, in milliseconds. */
const drainMs = 60_000;
/** Maximum time for a shipper to stop after the test. It is shorter, because the database may be unreachable. */
const stopMs = 10_000;

async function startWorker(boot: WorkerBoot, timeouts: ProviderTimeouts, logLevel: LogLevel) {
  const problems: TestGateway['problems'][number][] = [];
  const providerFailures: typeof problems = [];
  const outages: typeof problems = [];
  const write = (text: string) => {
    const line = JSON.parse(text);
    // Matches log entries about slow or lost database connections. A busy machine causes such entries as well.
    const isOfOutage =
      /^the database is (unreachable|reachable again)$/.test(line.msg) ||
      line.error?.message === 'Query read timeout' ||
      line.problem?.kind === 'ship-failed';
    const isOfProvider = line.msg === 'a provider failed';
    (isOfOutage ? outages : isOfProvider ? providerFailures : problems).push(line);
  };
  const log = createLogger(logLevel, { write });
  const app = await createApp(boot, log, { timeouts });
  const shipper = openShipper({
    slotDirs: [dirname(boot.journalDir)],
    connectionString: boot.connectionString,
    log,
    intervalMs: shipEveryMs,
    onShipped: app.applyShipped,
  });
  let drained: Promise<void> | undefined;
  const listener = await listen(app.accept, boot.config.http);
  const drain = (deadlineMs = drainMs) => {
    listener.close();
    drained ??= app.drain().then(() => shipper.close(deadlineMs));
    return drained;
  };
  return { problems, providerFailures, outages, noteUnready: app.noteUnready, drain };
}

export const hello = [{ role: 'user', content: 'Hello there' }];

function complete(
  origin: string,
  ownKey: string,
  body: object,
  { apiKey = ownKey, headers, ...init }: RequestInit & { apiKey?: string } = {},
): Promise<Response> {
  return fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: hello, ...body }),
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    ...init,
  });
}
