import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract, type RouteRow } from '@sluice/contract';
import { readConfig } from '#config/read-config.ts';
import { ScimError } from '#errors/scim-error.ts';
import { createHttpServer, type HttpServerOptions } from '#http/server.ts';
import { createKeyring, type Keyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { Turns } from '#platform/paced-work.ts';
import { openShipper } from '#shipper/open-shipper.ts';
import { nameRun } from '#supervisor/worker-pool.ts';
import { createApp } from '#worker/app.ts';
import { openTestLogStore } from '../clickhouse/test-log-store.ts';
import { findFreePort } from '../processes/free-port.ts';
import { listen } from '../processes/listen.ts';

const host = '127.0.0.1';
export const testSecret = 'the secret of all the tests in this repository';
const log = createLogger('silent');

export interface RunningServer {
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

export interface RunningWorker extends RunningServer {
  moveLogRows(): Promise<void>;
}

export interface WorkerOptions {
  readonly connectionString: string;
  /** Database connection for notifications. Defaults to the database's own connection. */
  readonly directConnectionString?: string;
  readonly sandboxOrigin?: string;
  /** Master key. Defaults to `testSecret`. */
  readonly secret?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Keyring of all test servers, with which tests can sign sessions and hash API keys. */
export const testKeyring: Keyring = createKeyring(testSecret);

/** Tests wait for rows, so the interval is ten times shorter than in production. */
export const shipEveryMs = 50;
/** Maximum time for a shipper to stop, in milliseconds. */
const drainMs = 10_000;

/** Starts a complete worker in this process on a free port, together with the shipper of its journal. */
export async function startWorker({
  connectionString,
  directConnectionString = connectionString,
  sandboxOrigin,
  secret = testSecret,
  variables,
}: WorkerOptions): Promise<RunningWorker> {
  const port = await findFreePort();
  const slotDir = await mkdtemp(join(tmpdir(), 'sluice-slot-'));
  const logStore = await openTestLogStore(connectionString);
  const store = logStore.url === null ? {} : { SLUICE_LOG_STORE: logStore.url };
  const config = readConfig({ PORT: String(port), ...store, ...variables });
  const journalDir = nameRun(slotDir);
  const boot = { config, slot: 1, journalDir, connectionString, directConnectionString, secret };
  const app = await createApp({ ...boot, sandboxOrigin: sandboxOrigin ?? null }, log);
  const shipper = openShipper({
    slotDirs: [slotDir],
    connectionString,
    logStoreUrl: config.logStoreUrl,
    log,
    intervalMs: shipEveryMs,
    onShipped: app.applyShipped,
  });
  const listener = await listen(app.accept, { host, port });
  return {
    port,
    origin: `http://${host}:${port}`,
    moveLogRows: logStore.moveRows,
    async close() {
      listener.close();
      await app.drain();
      await shipper.close(drainMs);
      await rm(slotDir, { recursive: true });
    },
  };
}

/** By default, handlers return 500 and the gateway accepts no requests. */
export async function startHttpServer(options: Partial<HttpServerOptions> = {}): Promise<RunningServer> {
  const server = await createHttpServer({
    gatewayHandler: () => false,
    handlers: failingHandlers(),
    runInTenant: () => Promise.reject(new Error('this test has no database')),
    keyring: { sealingKey: { current: Buffer.alloc(32), all: [Buffer.alloc(32)] } },
    turns: new Turns(),
    authenticateSession: async () => null,
    authenticateApiKey: () => null,
    authenticateToken: async () => null,
    recordTokenCall: async () => undefined,
    findTenantId: () => null,
    scim: {
      handlers: failingScimHandlers(),
      authenticate: () => Promise.reject(new ScimError(401, 'no token is valid here')),
      publicUrl: 'http://localhost',
    },
    whenChangesHold: async () => undefined,
    isDatabaseReachable: () => true,
    webFolder: join(tmpdir(), 'no-such-folder'),
    allowsShortPaths: true,
    isHttps: false,
    trustedProxies: [],
    log,
    ...options,
  });
  const listener = await listen(server.accept, { host });
  return {
    port: listener.port,
    origin: `http://${host}:${listener.port}`,
    async close() {
      listener.close();
      server.closeAllConnections();
      await server.close();
    },
  };
}

export function failingScimHandlers(): HttpServerOptions['scim']['handlers'] {
  const fail = () => Promise.reject(new Error('this handler only fails'));
  // safe because every SCIM route has a handler here, and none of them responds
  return Object.fromEntries(Object.keys(contract.scim).map((name) => [name, fail])) as never;
}

export function failingHandlers(): HttpServerOptions['handlers'] {
  const fail = () => Promise.reject(new Error('this handler only fails'));
  const nouns = Object.entries<Record<string, RouteRow>>(contract).map(([noun, rows]) => {
    const names = Object.keys(rows).filter((name) => rows[name]?.surface === 'management');
    return [noun, Object.fromEntries(names.map((name) => [name, fail]))] as const;
  });
  // safe because every management route has a handler here, and none of them responds
  return Object.fromEntries(nouns.filter(([, handlers]) => Object.keys(handlers).length > 0)) as never;
}
