import { setTimeout as pause } from 'node:timers/promises';
import { authRoutes, createClient, llmProvidersRoutes, providerRegistryRoutes } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { type CallKind, runLoad } from './load.ts';
import { createSluice, type SluiceProcess } from './sluice-process.ts';

export const killKinds = ['worker', 'supervisor', 'everything'] as const;
export type KillKind = (typeof killKinds)[number];

export interface RoundOptions {
  kind: KillKind;
  /** Kills the restart too, at a random moment of its replay, before the one that counts. */
  killsRestart?: boolean;
}

/** What one kill under load has left. */
export interface RoundFigures {
  kind: KillKind;
  calls: number;
  /** Requests of which a caller has seen the head of an answer, or the provider has billed. */
  known: number;
  /** Known requests without a row, and requests with more than one. */
  lost: string[];
  doubled: string[];
  /** Rows that say that the gate stopped before the request had ended. */
  interrupted: number;
  /** By how many tokens the caller's quota differs from its rows, and how many killed workers still hold some of it. */
  drift: number;
  holding: number;
  /** From the kill until the product was ready again. */
  recoveryMs: number;
}

/** The product under load from outside, with a provider that no kill reaches. */
export interface KillSubject {
  runRound(options: RoundOptions): Promise<RoundFigures>;
  remove(): Promise<void>;
}

const concurrency = 24;
const shipLimitMs = 30_000;
const interval = 'sandbox-normal:tokens=60,interval_ms=10';
const kinds: CallKind[] = [
  { model: 'sandbox-normal' },
  { model: 'sandbox-normal', stream: true },
  { model: interval, stream: true },
  { model: interval },
  { model: interval, stream: true, leaveAfterBytes: 2_000 },
  { model: 'sandbox-error-500' },
];

export async function createKillSubject(): Promise<KillSubject> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const sluice = await createSluice({
    SLUICE_WORKERS: '2',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  await addProvider(sluice, sandbox.origin);
  // Limited, though amply, so that workers lease.
  await query(sluice, 'UPDATE users SET requests_per_hour = 1e6, daily_quota = 1e9, monthly_quota = 1e10');
  const running = cleanup.move();
  let round = 0;
  return {
    runRound: (options) => runRound(sluice, sandbox, `round-${round++}`, options),
    remove: () => running.disposeAsync(),
  };
}

async function addProvider({ origin, admin }: SluiceProcess, sandboxOrigin: string): Promise<void> {
  const client = { baseUrl: origin, headers: (): Record<string, string> => ({}) };
  const { access_token: token } = await createClient(authRoutes, client).login({
    form: { username: admin.email, password: admin.password },
  });
  client.headers = () => ({ authorization: `Bearer ${token}` });
  const registry = await createClient(providerRegistryRoutes, client).listProviderRegistry();
  await createClient(llmProvidersRoutes, client).createLlmProvider({
    body: {
      provider_registry_id: registry.find(({ provider_key }) => provider_key === 'custom')?.id ?? 0,
      provider_instance_name: 'outside',
      api_endpoint: `${sandboxOrigin}/v1`,
      api_key: 'sk-outside',
      enabled_models: [...new Set(kinds.map(({ model }) => model))],
    },
  });
}

async function runRound(
  sluice: SluiceProcess,
  sandbox: Sandbox,
  name: string,
  { kind, killsRestart = false }: RoundOptions,
): Promise<RoundFigures> {
  sandbox.journal.clear();
  const ending = new AbortController();
  const underLoad = Promise.withResolvers<void>();
  let answersLeft = 60 + Math.random() * 200;
  const load = runLoad({
    origin: sluice.origin,
    apiKey: sluice.apiKey,
    callTimeoutMs: 4_000,
    kinds,
    concurrency,
    count: Number.POSITIVE_INFINITY,
    signal: ending.signal,
    onAnswer: () => --answersLeft <= 0 && underLoad.resolve(),
    name,
  });
  await underLoad.promise;
  const killedAtMs = performance.now();
  kill(sluice, kind);
  if (kind === 'worker') await pause(500);
  ending.abort();
  const calls = await load;
  if (kind !== 'worker') await restart(sluice, killsRestart);
  const recoveryMs = performance.now() - killedAtMs;
  const known = new Set(calls.flatMap(({ id, status }) => (id !== null && status === 200 ? [id] : [])));
  for (const { requestId } of sandbox.journal.entries()) if (requestId !== null) known.add(requestId);
  return {
    kind,
    calls: calls.length,
    known: known.size,
    recoveryMs,
    ...(await readRows(sluice, name, known)),
  };
}

function kill(sluice: SluiceProcess, kind: KillKind): void {
  const victims = kind === 'worker' ? sluice.pids('workers').slice(0, 1) : sluice.pids(kind);
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has gone with those that were killed before it.
    }
  }
}

async function restart(sluice: SluiceProcess, killsRestart: boolean): Promise<void> {
  await sluice.exited;
  if (killsRestart) {
    const interrupted = sluice.start().catch(() => undefined);
    await pause(Math.random() * 2_000);
    kill(sluice, 'everything');
    await Promise.all([interrupted, sluice.exited]);
  }
  await sluice.start();
}

async function readRows(
  sluice: SluiceProcess,
  name: string,
  known: ReadonlySet<string>,
): Promise<Pick<RoundFigures, 'lost' | 'doubled' | 'interrupted' | 'drift' | 'holding'>> {
  const client = new pg.Client({ connectionString: sluice.connectionString() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const read = async () =>
      (
        await client.query<{ id: string; client_request_id: string; error_code: string | null }>(
          `SELECT id, client_request_id, error_code FROM request_logs WHERE client_request_id LIKE $1`,
          [`${name}-%`],
        )
      ).rows;
    const missing = (rows: { id: string }[]) => [...known.difference(new Set(rows.map(({ id }) => id)))];
    let rows = await read();
    for (
      const endsAtMs = performance.now() + shipLimitMs;
      performance.now() < endsAtMs;
      rows = await read()
    ) {
      if (missing(rows).length === 0) break;
      await pause(100);
    }
    const names = rows.map((row) => row.client_request_id);
    return {
      ...(await readLimits(client)),
      lost: missing(rows),
      doubled: names.filter((one, index) => names.indexOf(one) !== index),
      interrupted: rows.filter((row) => row.error_code === 'interrupted').length,
    };
  } finally {
    await client.end();
  }
}

/** Waits until the quota says what the rows say, and no worker holds any of it but those that live. */
async function readLimits(client: pg.Client): Promise<Pick<RoundFigures, 'drift' | 'holding'>> {
  for (const endsAtMs = performance.now() + shipLimitMs; ; await pause(100)) {
    const { rows } = await client.query<{ drift: number; holding: number }>(readLimitsStatement);
    const limits = rows[0] ?? { drift: Number.NaN, holding: Number.NaN };
    if ((limits.drift === 0 && limits.holding === 0) || performance.now() > endsAtMs) return limits;
  }
}

const readLimitsStatement = `SELECT
    ((SELECT coalesce(sum(settled), 0) FROM allowances WHERE kind = 'tokens_per_month') -
      (SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM request_logs))::float8 AS drift,
    (SELECT count(*) FROM nodes WHERE expires_at < now() + interval '50 seconds')::int AS holding`;

async function query(sluice: SluiceProcess, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: sluice.connectionString() });
  await client.connect();
  await client.query(statement);
  await client.end();
}
