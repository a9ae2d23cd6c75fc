import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { z } from 'zod';
import { type EmbeddedServer, startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { createLogger } from '#platform/logger.ts';
import { joinRows, knownRequests, type OwedRows } from '../database/owed-rows.ts';
import { createSluice, type SluiceProcess } from '../processes/sluice-process.ts';
import { addOutsideProvider } from '../providers/outside-provider.ts';
import { type CallKind, type CallRecord, runLoad } from './load.ts';

export interface OutageFigures extends OwedRows {
  /** Duration of the database outage in milliseconds. */
  downMs: number;
  calls: number;
  known: number;
  /** Number of calls by status and error, during and after the outage. `none` counts calls without a response. */
  statuses: Record<string, number>;
  lastStatuses: Record<string, number>;
  /**
   * Milliseconds from the stop of the database until the node reported that it was degraded, and until it reported
   * that it was not ready; `null` if it never did.
   */
  degradedAfterMs: number;
  unreadyAfterMs: number | null;
  /** Milliseconds from the start of the database until the node was fully available. */
  readyAfterMs: number;
  failedHealthChecks: number;
}

export interface OutageSubject {
  runOutage(downMs: number): Promise<OutageFigures>;
  remove(): Promise<void>;
}

const kinds: CallKind[] = [
  { model: 'sandbox-normal' },
  { model: 'sandbox-normal', stream: true },
  { model: 'sandbox-normal:tokens=60,interval_ms=10', stream: true },
];
const workers = 2;
const concurrency = 6;
const lastMomentMs = 2_000;
const answersAround = 30;

export async function createOutageSubject(): Promise<OutageSubject> {
  await using cleanup = new AsyncDisposableStack();
  const parts = await startParts(cleanup);
  const running = cleanup.move();
  let round = 0;
  return {
    runOutage: (downMs) => runOutage(parts, `outage-${round++}`, downMs),
    remove: () => running.disposeAsync(),
  };
}

interface OutageParts {
  readonly sandbox: Sandbox;
  readonly sluice: SluiceProcess;
  readonly databaseUrl: string;
  startDatabase(): Promise<void>;
  stopDatabase(): Promise<void>;
}

async function startParts(cleanup: AsyncDisposableStack): Promise<OutageParts> {
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-db-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const startDatabase = () =>
    startEmbeddedServer({ dataDir, maxConnections: 40, log: createLogger('silent') });
  let database: EmbeddedServer = await startDatabase();
  const stopDatabase = () => database.stop();
  cleanup.defer(stopDatabase);
  // Each start creates a new data folder. Only the link to the folder has a fixed path.
  const address = new URL(database.connectionString);
  address.searchParams.set('host', join(dataDir, 'postgres-run'));
  const sluice = await createSluice({
    DATABASE_URL: address.href,
    SLUICE_WORKERS: String(workers),
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  await addOutsideProvider(sluice, sandbox.origin, [...new Set(kinds.map(({ model }) => model))]);
  await leaseAtEachWorker(sluice, address.href);
  return {
    sandbox,
    sluice,
    databaseUrl: address.href,
    stopDatabase,
    async startDatabase() {
      database = await startDatabase();
    },
  };
}

/**
 * Opens new connections, which are distributed over the workers. A worker without a lease would return 503 during the
 * outage.
 */
async function leaseAtEachWorker(sluice: SluiceProcess, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (let nodes = 0; nodes < workers; ) {
      await askOnce(sluice);
      const { rows } = await client.query('SELECT count(DISTINCT node_id)::int AS nodes FROM leases');
      nodes = rows[0].nodes;
    }
  } finally {
    await client.end();
  }
}

async function askOnce({ origin, apiKey }: SluiceProcess): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello there' }] }),
  });
  await answer.text();
}

async function runOutage(parts: OutageParts, name: string, downMs: number): Promise<OutageFigures> {
  const { sandbox, sluice } = parts;
  sandbox.journal.clear();
  const ending = new AbortController();
  const { load, untilAnswered } = startLoad(sluice, name, ending.signal);
  await untilAnswered(answersAround);
  const health = watchHealth(() => probe(sluice, '/healthz'), ending.signal);
  const stoppedAtMs = performance.now();
  const recovering = new AbortController();
  const unready = untilReadiness(sluice, 'unready', recovering.signal);
  const [degradedAfterMs] = await Promise.all([untilReadiness(sluice, 'degraded'), parts.stopDatabase()]);
  // Intentional delay: the duration of the outage.
  await pause(Math.max(0, downMs - (performance.now() - stoppedAtMs)));
  const downAtMs = performance.now() - stoppedAtMs;
  recovering.abort();
  await parts.startDatabase();
  const readyAfterMs = (await untilReadiness(sluice, 'whole')) ?? 0;
  await untilAnswered(answersAround);
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
    lastStatuses: countStatuses(within(stoppedAtMs + downAtMs - lastMomentMs, stoppedAtMs + downAtMs - 100)),
    degradedAfterMs: degradedAfterMs ?? 0,
    unreadyAfterMs: await unready,
    readyAfterMs,
    failedHealthChecks: await health,
    ...(await joinRows(parts.databaseUrl, name, known)),
  };
}

/** Sends calls until the signal aborts. `untilAnswered` resolves after that many additional responses. */
function startLoad({ origin, apiKey }: SluiceProcess, name: string, signal: AbortSignal) {
  let answers = 0;
  const load = runLoad({
    origin,
    apiKey,
    callTimeoutMs: 10_000,
    kinds,
    concurrency,
    count: Number.POSITIVE_INFINITY,
    signal,
    pauseMs: 50,
    onAnswer: () => answers++,
    name,
  });
  const untilAnswered = async (count: number) => {
    const wanted = answers + count;
    while (answers < wanted) await pause(10);
  };
  return { load, untilAnswered };
}

/** Returns the response status; 0 without a response. */
const probe = ({ origin }: SluiceProcess, path: string) =>
  fetch(origin + path, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status,
    () => 0,
  );

type ReadinessState = 'whole' | 'degraded' | 'unready';

/** Resolves with the milliseconds until the node reached this state; `null` if the signal aborted first. */
async function untilReadiness(
  sluice: SluiceProcess,
  state: ReadinessState,
  signal?: AbortSignal,
): Promise<number | null> {
  const startedMs = performance.now();
  while ((await readReadiness(sluice)) !== state) {
    if (signal?.aborted) return null;
    await pause(20);
  }
  return performance.now() - startedMs;
}

async function readReadiness({ origin }: SluiceProcess): Promise<ReadinessState> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
  if (!answer?.ok) return 'unready';
  return z.object({ degraded: z.unknown() }).parse(await answer.json()).degraded === null
    ? 'whole'
    : 'degraded';
}

/** Counts responses with another status than 200. */
async function watchHealth(ask: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let failures = 0;
  while (!signal.aborted) {
    if ((await ask()) !== 200) failures++;
    await pause(100);
  }
  return failures;
}

function countStatuses(calls: readonly CallRecord[]): Record<string, number> {
  const groups = Map.groupBy(calls, ({ status, errorCode }) =>
    [status ?? 'none', errorCode].filter((part) => part !== null).join(' '),
  );
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}
