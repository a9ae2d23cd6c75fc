import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { auditAccounts } from '../database/audit-accounts.ts';
import { createSluice, type SluiceProcess } from '../processes/sluice-process.ts';
import { openPaidService, type PaidService } from '../providers/paid-service.ts';
import { type CallKind, type CallRecord, runLoad } from './load.ts';

export const killKinds = ['worker', 'shipper', 'supervisor', 'everything'] as const;
export type KillKind = (typeof killKinds)[number];

export interface RoundOptions {
  kind: KillKind;
  killsRestart?: boolean;
}

export interface RoundFigures {
  kind: KillKind;
  calls: number;
  known: number;
  lost: string[];
  doubled: string[];
  interrupted: number;
  refused: number;
  faults: string[];
  /** Milliseconds from readiness until all limits were released. */
  resolvedMs: number;
  /** Milliseconds from the kill until the product was ready again. */
  recoveryMs: number;
}

export interface KillSubject {
  runRound(options: RoundOptions): Promise<RoundFigures>;
  remove(): Promise<void>;
}

const workers = 2;
const callersEach = 6;
const shipLimitMs = 30_000;
const answersAfterwards = 60;
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
    SLUICE_WORKERS: String(workers),
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const service = await openPaidService(sluice);
  const payers = await addPayers(service, sandbox.origin);
  const running = cleanup.move();
  let round = 0;
  return {
    async runRound(options) {
      await allowMore(service, payers, ++round);
      return runRound({ sluice, sandbox, payers }, `round-${round}`, options);
    },
    remove: () => running.disposeAsync(),
  };
}

interface Payers {
  readonly manyTokens: { id: number; apiKey: string };
  readonly fewTokens: { id: number; apiKey: string };
  readonly fewRequests: { id: number; apiKey: string };
}

async function addPayers(service: PaidService, sandboxOrigin: string): Promise<Payers> {
  await service.addInstance({
    name: 'outside',
    providerKey: 'custom',
    endpoint: `${sandboxOrigin}/v1`,
    models: [...new Set(kinds.map(({ model }) => model))],
  });
  await service.recharge(3);
  const many = { daily_quota: 50_000_000, monthly_quota: 500_000_000, requests_per_hour: 1_000_000 };
  return {
    manyTokens: await service.addUser('many-tokens', many),
    fewTokens: await service.addUser('few-tokens', { ...many, daily_quota: 1 }),
    fewRequests: await service.addUser('few-requests', { ...many, requests_per_hour: 1 }),
  };
}

/** Raises the limits so that each round can start. Some callers still reach a limit before the round ends. */
async function allowMore(service: PaidService, { fewRequests, fewTokens }: Payers, round: number) {
  await service.recharge(0.25);
  await service.setQuotas(fewRequests.id, { requests_per_hour: 15 * round });
  await service.setQuotas(fewTokens.id, { daily_quota: 4_000 * round });
}

interface Stage {
  readonly sluice: SluiceProcess;
  readonly sandbox: Sandbox;
  readonly payers: Payers;
}

async function runRound(
  stage: Stage,
  name: string,
  { kind, killsRestart = false }: RoundOptions,
): Promise<RoundFigures> {
  const { sandbox, sluice } = stage;
  sandbox.journal.clear();
  const ending = new AbortController();
  let answers = 0;
  const load = callAll(stage, name, ending.signal, () => answers++);
  const untilAnswers = async (count: number) => {
    while (answers < count) await pause(10);
  };
  await untilAnswers(60 + Math.random() * 200);
  const killedAtMs = performance.now();
  kill(sluice, kind);
  // Other kills leave the product running: the remaining processes serve requests and the killed process is replaced.
  const isRestarted = kind === 'supervisor' || kind === 'everything';
  if (!isRestarted) await untilAnswers(answers + answersAfterwards);
  ending.abort();
  const calls = await load;
  if (isRestarted) await restart(sluice, killsRestart);
  const recoveryMs = performance.now() - killedAtMs;
  const known = new Set(calls.flatMap(({ id, status }) => (id !== null && status === 200 ? [id] : [])));
  for (const { requestId } of sandbox.journal.entries()) if (requestId !== null) known.add(requestId);
  return {
    kind,
    calls: calls.length,
    known: known.size,
    recoveryMs,
    ...(await readBooks(stage, name, known)),
  };
}

async function callAll(
  { payers, sluice }: Stage,
  name: string,
  signal: AbortSignal,
  onAnswer: () => void,
): Promise<CallRecord[]> {
  const apiKeys = [sluice.apiKey, ...Object.values(payers).map(({ apiKey }) => apiKey)];
  const loads = apiKeys.map((apiKey, place) =>
    runLoad({
      origin: sluice.origin,
      apiKey,
      callTimeoutMs: 4_000,
      kinds,
      concurrency: callersEach,
      count: Number.POSITIVE_INFINITY,
      signal,
      onAnswer,
      name: `${name}-${place}`,
    }),
  );
  return (await Promise.all(loads)).flat();
}

function kill(sluice: SluiceProcess, kind: KillKind): void {
  const victims =
    kind === 'worker' || kind === 'shipper' ? sluice.pids(`${kind}s`).slice(0, 1) : sluice.pids(kind);
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited because of an earlier kill.
    }
  }
}

async function restart(sluice: SluiceProcess, killsRestart: boolean): Promise<void> {
  await sluice.exited;
  if (killsRestart) {
    const interrupted = sluice.start().catch(() => undefined);
    // Intentional delay: a kill may occur at any moment of a start.
    await pause(Math.random() * 2_000);
    kill(sluice, 'everything');
    await Promise.all([interrupted, sluice.exited]);
  }
  await sluice.start();
}

type Books = Omit<RoundFigures, 'kind' | 'calls' | 'known' | 'recoveryMs'>;

async function readBooks(
  { sandbox, sluice }: Stage,
  name: string,
  known: ReadonlySet<string>,
): Promise<Books> {
  const database = new pg.Client({ connectionString: sluice.connectionString() });
  database.on('error', () => undefined);
  await database.connect();
  try {
    const rows = await readRows(database, name, known);
    const { faults, resolvedMs } = await auditAccounts(database, workers);
    const names = rows.map((row) => row.client_request_id);
    const have = (test: (row: Row) => boolean) => rows.filter(test).length;
    return {
      lost: [...known.difference(new Set(rows.map(({ id }) => id)))],
      doubled: names.filter((one, index) => names.indexOf(one) !== index),
      interrupted: have(({ error_code }) => error_code === 'interrupted'),
      refused: have(({ status }) => status === 'refused'),
      faults: [...faults, ...findOvercharged(rows, sandbox)],
      resolvedMs,
    };
  } finally {
    await database.end();
  }
}

interface Row {
  readonly id: string;
  readonly client_request_id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly completion_tokens: number;
}

/** Waits until each known request has a row. */
async function readRows(database: pg.Client, name: string, known: ReadonlySet<string>): Promise<Row[]> {
  const endsAtMs = performance.now() + shipLimitMs;
  for (;;) {
    const { rows } = await database.query<Row>(
      `SELECT id, client_request_id, status, error_code, completion_tokens FROM request_logs
       WHERE client_request_id LIKE $1`,
      [`${name}-%`],
    );
    const ids = new Set(rows.map(({ id }) => id));
    if (known.isSubsetOf(ids) || performance.now() > endsAtMs) return rows;
    await pause(100);
  }
}

/**
 * Returns overcharged requests. A success must cost exactly what the provider generated for it, any other request at
 * most as much.
 */
function findOvercharged(rows: readonly Row[], { journal }: Sandbox): string[] {
  const generated = new Map<string | null, number>();
  for (const { requestId, completionTokens } of journal.entries())
    generated.set(requestId, (generated.get(requestId) ?? 0) + completionTokens);
  return rows.flatMap(({ id, status, completion_tokens: charged }) => {
    const tokens = generated.get(id) ?? 0;
    const isRight = status === 'success' ? charged === tokens : charged <= tokens;
    return isRight ? [] : [`${id} (${status}) is charged ${charged} tokens of ${tokens}`];
  });
}
