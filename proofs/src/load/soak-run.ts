import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { createKeyring } from '#platform/keyring.ts';
import { auditAccounts } from '#test/database/audit-accounts.ts';
import { createSeeder } from '#test/database/seed.ts';
import { type CallEnd, type OfferedCall, offerLoad } from '#test/load/offered-load.ts';
import { createSluice, launchers, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { openPaidService } from '#test/providers/paid-service.ts';
import { collectedHeapEnv } from '../processes/collected-heap.ts';
import type { RestSamples } from '../processes/growth.ts';
import { type ProcessSample, readMetric, sampleProcesses } from '../processes/process-samples.ts';

export interface SoakFigures {
  readonly minutes: number;
  readonly keys: number;
  /** Requests per second at saturation, one value per measurement. */
  readonly maxima: readonly number[];
  readonly calls: number;
  readonly left: number;
  /** Number of calls by status, without calls that disconnected. `none` counts calls without a response. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of responses with headers but no row, and of requests with several rows. */
  readonly lost: number;
  readonly doubled: number;
  readonly rows: number;
  readonly exits: number;
  readonly faults: readonly string[];
  readonly samples: readonly ProcessSample[];
  readonly rest: RestSamples;
}

const keyCount = 2_000;
const callersMax = 400;
const measuredForMs = 5_000;
const share = 0.7;
/** Number of measurements. The median is used, since the machine is shared. */
const measurements = 3;
const shippedWithinMs = 180_000;
/** Idle connections are closed within a minute. The samples of the second half are used. */
const restMs = 120_000;
const metricsToken = 'token-of-the-soak';
const quick = 'sandbox-normal';
const paced = 'sandbox-normal:tokens=60,interval_ms=10';

/** Loads the product at a share of its capacity for the given number of minutes. Three of ten callers disconnect. */
export async function soak(minutes: number, onMinute: (text: string) => void): Promise<SoakFigures> {
  await using cleanup = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('base64url');
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const sluice = await createSluice(
    {
      SLUICE_SECRET: secret,
      SLUICE_WORKERS: '1',
      SLUICE_SANDBOX: '0',
      SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
      SLUICE_CONCURRENCY: '10000',
      SLUICE_METRICS_TOKEN: metricsToken,
      LOG_LEVEL: 'silent',
      ...collectedHeapEnv,
    },
    launchers.npm,
  );
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 2 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  const service = await openPaidService(sluice);
  for (const providerKey of ['custom', 'anthropic'])
    await service.addInstance({
      name: providerKey,
      providerKey,
      endpoint: providerKey === 'custom' ? `${sandbox.origin}/v1` : sandbox.origin,
      models: [quick, paced],
    });
  await service.recharge(10_000);
  const apiKeys = await addKeys(pool, secret, sandbox.origin);
  await untilKnown(sluice.origin, apiKeys.at(-1) ?? '');
  const callers = createCallers(apiKeys);
  const ended = sluice.exited.then((code) => Promise.reject(new Error(`the product exited with ${code}`)));
  ended.catch(() => undefined);
  const load = await Promise.race([loadForMinutes({ sluice, callers, minutes, onMinute }), ended]);
  const rows = await readRows(sluice, pool, callers.hasAnswer);
  const client = await pool.connect();
  try {
    const { faults } = await auditAccounts(client, 1);
    return { minutes, keys: apiKeys.length, ...load, ...callers.counts(), ...rows, faults };
  } finally {
    client.release();
  }
}

async function addKeys(pool: pg.Pool, secret: string, sandboxOrigin: string): Promise<string[]> {
  const seed = await createSeeder(pool, createKeyring(secret), sandboxOrigin);
  const apiKeys: string[] = [];
  for (let place = 0; place < keyCount; place++)
    apiKeys.push((await seed.addPerson({ name: `soak-${place}`, role: 'admin' })).apiKey);
  await pool.query(
    `UPDATE users SET requests_per_hour = 1000000000, daily_quota = 1000000000000 WHERE name LIKE 'soak-%'`,
  );
  return apiKeys;
}

async function untilKnown(origin: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  while (!(await fetch(`${origin}/api/v1/models`, { headers })).ok) await pause(50);
}

interface SoakCall extends OfferedCall {
  readonly number: number;
}

interface CallKind {
  readonly instance: 'custom' | 'anthropic';
  readonly model: string;
  readonly stream: boolean;
  readonly leaves?: 'at once' | 'inside';
}

/**
 * Kinds of ten calls: two disconnect during a paced stream, and one before any byte. The others read the whole
 * response, streamed or not, in two protocols.
 */
const kinds: readonly [CallKind, ...CallKind[]] = [
  { instance: 'custom', model: quick, stream: false },
  { instance: 'custom', model: quick, stream: true },
  { instance: 'custom', model: paced, stream: true, leaves: 'inside' },
  { instance: 'anthropic', model: quick, stream: false },
  { instance: 'custom', model: quick, stream: false },
  { instance: 'anthropic', model: paced, stream: true, leaves: 'inside' },
  { instance: 'custom', model: quick, stream: false },
  { instance: 'custom', model: quick, stream: true, leaves: 'at once' },
  { instance: 'anthropic', model: quick, stream: true },
  { instance: 'custom', model: quick, stream: true },
];

/** Sends the calls. Records in one byte per call whether response headers were received. */
function createCallers(apiKeys: readonly string[]) {
  const statuses: Record<string, number> = {};
  let hasAnswer = new Uint8Array(1_000_000);
  let calls = 0;
  let ended = 0;
  let left = 0;
  return {
    get hasAnswer() {
      return hasAnswer.subarray(0, calls);
    },
    next(): SoakCall {
      const number = calls++;
      if (number >= hasAnswer.length) {
        const longer = new Uint8Array(2 * hasAnswer.length);
        longer.set(hasAnswer);
        hasAnswer = longer;
      }
      const kind = kinds[number % kinds.length] ?? kinds[0];
      const request = writeRequest(kind, apiKeys[number % apiKeys.length] ?? '', number);
      if (!kind.leaves) return { number, request };
      const leaveAfterBytes = kind.leaves === 'at once' ? 0 : 400 + Math.floor(Math.random() * 4_000);
      return { number, request, leaveAfterBytes };
    },
    note({ number }: SoakCall, { hasLeft, isWhole, status }: CallEnd) {
      ended++;
      if (status === 200) hasAnswer[number] = 1;
      if (hasLeft) left++;
      else {
        const name = status === 200 && !isWhole ? '200, cut off' : String(status ?? 'none');
        statuses[name] = (statuses[name] ?? 0) + 1;
      }
    },
    /** Requests that were rejected due to overload do not count toward the capacity. */
    countServed: () => ended - (statuses['503'] ?? 0),
    counts: () => ({ calls, ended, left, statuses }),
  };
}

function writeRequest(kind: CallKind, apiKey: string, number: number): string {
  const { instance, model, stream } = kind;
  const body = JSON.stringify({
    model: `${instance}/${model}`,
    messages: [{ role: 'user', content: `Hello there, number ${number % 1_000}` }],
    stream,
  });
  const head = `POST /api/v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiKey}\r\nx-request-id: soak-${number}`;
  return `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

interface Loading {
  readonly sluice: SluiceProcess;
  readonly callers: ReturnType<typeof createCallers>;
  readonly minutes: number;
  readonly onMinute: (text: string) => void;
}

async function loadForMinutes({ sluice, callers, minutes, onMinute }: Loading) {
  const port = Number(new URL(sluice.origin).port);
  const maxima: number[] = [];
  const samples: ProcessSample[] = [];
  let ticks = 0;
  const sampling = setInterval(async () => {
    const isMinute = ++ticks % 30 === 0;
    const sample = await sampleProcesses(sluice, metricsToken, isMinute).catch((error: unknown) => {
      if (isMinute) onMinute(`A sample is missing: ${error}`);
      return null;
    });
    if (!sample) return;
    samples.push(sample);
    if (isMinute) onMinute(JSON.stringify({ ...callers.counts(), ...sample }));
  }, 2_000);
  const offer = (ratePerSecond: number | null, durationMs: number) =>
    offerLoad({
      port,
      ratePerSecond,
      connectionsMax: callersMax,
      waitingMax: callersMax,
      durationMs,
      next: callers.next,
      onEnd: callers.note,
    });
  // Runs before the measurement, since the first request of each user leases parts of the user's limits.
  await offer(null, measuredForMs);
  const sampleWithoutLoad = async () => {
    const untilMs = performance.now() + restMs;
    await pause(restMs);
    return samples.splice(0).filter(({ atMs }) => atMs > untilMs - restMs / 2);
  };
  const before = await sampleWithoutLoad();
  for (let measured = 0; measured < measurements; measured++) {
    const servedBefore = callers.countServed();
    const measuring = offer(null, measuredForMs);
    // Intentional delay: the duration of the measurement.
    await pause(measuredForMs);
    maxima.push(Math.round(((callers.countServed() - servedBefore) / measuredForMs) * 1000));
    await measuring;
  }
  // One rate is used for the whole run, since memory depends on the number of concurrent requests.
  const maximum = maxima.toSorted((one, other) => one - other)[measurements >> 1] ?? 0;
  await offer(share * maximum, minutes * 60_000);
  const loaded = samples.splice(0);
  const after = await sampleWithoutLoad();
  clearInterval(sampling);
  return { maxima, samples: loaded, rest: { before, after } };
}

async function readRows(sluice: SluiceProcess, pool: pg.Pool, hasAnswer: Uint8Array) {
  const endsAtMs = performance.now() + shippedWithinMs;
  for (let backlog = 1; backlog > 0 && performance.now() < endsAtMs; await pause(500))
    backlog = await readMetric(sluice, metricsToken, 'sluice_journal_backlog_bytes');
  const exits = await readMetric(sluice, metricsToken, 'sluice_process_exits_total');
  const hasRow = new Uint8Array(hasAnswer.length);
  let rows = 0;
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(`DECLARE all_rows CURSOR FOR SELECT substr(client_request_id, 6)::int AS number
    FROM request_logs WHERE client_request_id LIKE 'soak-%'`);
  for (;;) {
    const batch = await client.query<{ number: number }>('FETCH 50000 FROM all_rows');
    for (const { number } of batch.rows) hasRow[number] = (hasRow[number] ?? 0) + 1;
    rows += batch.rows.length;
    if (batch.rows.length === 0) break;
  }
  await client.query('COMMIT');
  client.release();
  return {
    rows,
    exits,
    lost: hasAnswer.reduce((sum, seen, number) => sum + (seen === 1 && hasRow[number] === 0 ? 1 : 0), 0),
    doubled: hasRow.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
  };
}
