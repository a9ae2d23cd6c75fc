import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract, type RouteRow } from '@sluice/contract';
import { readConfig } from '#config/read-config.ts';
import { createHttpServer, type HttpServerOptions } from '#http/server.ts';
import { createKeyring, type Keyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { Turns } from '#platform/paced-work.ts';
import { createApp } from '../src/app.ts';
import { findFreePort } from './free-port.ts';
import { listen } from './listen.ts';

const host = '127.0.0.1';
const secret = 'the secret of all the tests in this repository';
const log = createLogger('silent');

export interface RunningServer {
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly connectionString: string;
  /** Where the worker listens for notifications; the database's own unless given. */
  readonly directConnectionString?: string;
  readonly sandboxOrigin?: string;
  /** Variables of the environment, such as `PUBLIC_URL`. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The keys of every server here, so that tests can sign sessions and hash API keys themselves. */
export const testKeyring: Keyring = createKeyring(secret);

/** A worker's whole program over a database, in this process, on a free port. */
export async function startWorker({
  connectionString,
  directConnectionString = connectionString,
  sandboxOrigin,
  variables,
}: WorkerOptions): Promise<RunningServer> {
  const port = await findFreePort();
  const slotDir = await mkdtemp(join(tmpdir(), 'sluice-slot-'));
  const config = readConfig({ PORT: String(port), ...variables });
  const boot = { config, slot: 1, slotDir, connectionString, directConnectionString, secret };
  const app = await createApp({ ...boot, sandboxOrigin: sandboxOrigin ?? null }, log);
  const listener = await listen(app.accept, { host, port });
  return {
    port,
    origin: `http://${host}:${port}`,
    async close() {
      listener.close();
      await app.drain();
      await rm(slotDir, { recursive: true });
    },
  };
}

/** The HTTP server alone, over handlers that answer 500 and a gate that takes nothing, unless given. */
export async function startHttpServer(options: Partial<HttpServerOptions> = {}): Promise<RunningServer> {
  const server = await createHttpServer({
    gate: () => false,
    handlers: failingHandlers(),
    runInTenant: () => Promise.reject(new Error('there is no database')),
    keyring: { sealingKey: Buffer.alloc(32) },
    turns: new Turns(),
    authenticateSession: async () => null,
    findTenantId: () => null,
    whenChangesHold: async () => undefined,
    isDatabaseReachable: () => true,
    webFolder: join(tmpdir(), 'no-such-folder'),
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

export function failingHandlers(): HttpServerOptions['handlers'] {
  const fail = () => Promise.reject(new Error('this handler only fails'));
  const nouns = Object.entries<Record<string, RouteRow>>(contract).map(([noun, rows]) => {
    const names = Object.keys(rows).filter((name) => rows[name]?.surface === 'management');
    return [noun, Object.fromEntries(names.map((name) => [name, fail]))] as const;
  });
  // safe because every management row has a handler here, and none of them answers
  return Object.fromEntries(nouns.filter(([, handlers]) => Object.keys(handlers).length > 0)) as never;
}
