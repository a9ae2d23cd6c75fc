import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@sluice/sandbox';
import { type EmbeddedServer, startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { createLogger } from '#platform/logger.ts';
import { type CallKind, runLoad } from './load.ts';
import { addOutsideProvider } from './outside-provider.ts';
import { joinRows, knownRequests, type OwedRows } from './owed-rows.ts';
import { createSluice } from './sluice-process.ts';

/** What one outage of the database under load has left. */
export interface OutageFigures extends OwedRows {
  /** For how long the database was stopped. */
  downMs: number;
  calls: number;
  known: number;
  /** How many calls got which status, during the outage and after it; `none` without an answer. */
  statuses: Record<string, number>;
  /** Answers of the outage's last moments. */
  lastStatuses: Record<string, number>;
  /** From the stop until the node said that it was not ready; from the start until it was ready again. */
  unreadyAfterMs: number;
  readyAfterMs: number;
  /** Probes of the process that did not answer 200. */
  failedHealthChecks: number;
}

/** The product over a PostgreSQL of its own that can be stopped, with a provider outside. */
export interface OutageSubject {
  runOutage(downMs: number): Promise<OutageFigures>;
  remove(): Promise<void>;
}

const kinds: CallKind[] = [
  { model: 'sandbox-normal' },
  { model: 'sandbox-normal', stream: true },
  { model: 'sandbox-normal:tokens=60,interval_ms=10', stream: true },
];
const concurrency = 6;
const lastMomentMs = 2_000;

export async function createOutageSubject(): Promise<OutageSubject> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-db-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const startDatabase = () =>
    startEmbeddedServer({ dataDir, maxConnections: 40, log: createLogger('silent') });
  let database: EmbeddedServer = await startDatabase();
  cleanup.defer(() => database.stop());
  // Its folder is another after each start; the link to it stays.
  const address = new URL(database.connectionString);
  address.searchParams.set('host', join(dataDir, 'postgres-run'));
  const sluice = await createSluice({
    DATABASE_URL: address.href,
    SLUICE_WORKERS: '2',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  await addOutsideProvider(sluice, sandbox.origin, [...new Set(kinds.map(({ model }) => model))]);
  const running = cleanup.move();
  let round = 0;

  const probe = (path: string) =>
    fetch(sluice.origin + path, { signal: AbortSignal.timeout(1_000) }).then(
      ({ status }) => status,
      () => 0,
    );
  const until = async (path: string, status: number) => {
    const startedMs = performance.now();
    while ((await probe(path)) !== status) await pause(20);
    return performance.now() - startedMs;
  };

  async function runOutage(downMs: number): Promise<OutageFigures> {
    const name = `outage-${round++}`;
    sandbox.journal.clear();
    const underLoad = Promise.withResolvers<void>();
    const ending = new AbortController();
    let answersLeft = 30;
    const load = runLoad({
      origin: sluice.origin,
      apiKey: sluice.apiKey,
      callTimeoutMs: 10_000,
      kinds,
      concurrency,
      count: Number.POSITIVE_INFINITY,
      signal: ending.signal,
      pauseMs: 50,
      onAnswer: () => --answersLeft <= 0 && underLoad.resolve(),
      name,
    });
    await underLoad.promise;
    const health = watchHealth(() => probe('/healthz'), ending.signal);
    const stoppedAtMs = performance.now();
    const [unreadyAfterMs] = await Promise.all([until('/readyz', 503), database.stop()]);
    await pause(Math.max(0, downMs - (performance.now() - stoppedAtMs)));
    const downAtMs = performance.now() - stoppedAtMs;
    database = await startDatabase();
    const readyAfterMs = await until('/readyz', 200);
    await pause(500);
    ending.abort();
    const calls = await load;
    const known = knownRequests(calls, sandbox);
    const within = (fromMs: number, toMs: number) =>
      calls.filter(({ startedMs }) => startedMs >= fromMs && startedMs < toMs);
    return {
      downMs: downAtMs,
      calls: calls.length,
      known: known.size,
      statuses: countStatuses(within(stoppedAtMs, Number.POSITIVE_INFINITY)),
      lastStatuses: countStatuses(
        within(stoppedAtMs + downAtMs - lastMomentMs, stoppedAtMs + downAtMs - 100),
      ),
      unreadyAfterMs,
      readyAfterMs,
      failedHealthChecks: await health,
      ...(await joinRows(address.href, name, known)),
    };
  }

  return { runOutage, remove: () => running.disposeAsync() };
}

/** Asks until the signal aborts; resolves with how often the answer was not 200. */
async function watchHealth(ask: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let failures = 0;
  while (!signal.aborted) {
    if ((await ask()) !== 200) failures++;
    await pause(100);
  }
  return failures;
}

function countStatuses(calls: readonly { status: number | null }[]): Record<string, number> {
  const groups = Map.groupBy(calls, ({ status }) => String(status ?? 'none'));
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}
