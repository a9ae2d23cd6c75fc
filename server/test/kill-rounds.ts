import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { type CallKind, runLoad } from './load.ts';
import { addOutsideProvider } from './outside-provider.ts';
import { joinRows, knownRequests, type OwedRows } from './owed-rows.ts';
import { createSluice, type SluiceProcess } from './sluice-process.ts';

export const killKinds = ['worker', 'supervisor', 'everything'] as const;
export type KillKind = (typeof killKinds)[number];

export interface RoundOptions {
  kind: KillKind;
  /** Kills the restart too, at a random moment of its replay, before the one that counts. */
  killsRestart?: boolean;
}

/** What one kill under load has left. */
export interface RoundFigures extends OwedRows {
  kind: KillKind;
  calls: number;
  /** Requests of which a caller has seen the head of an answer, or the provider has billed. */
  known: number;
  /** From the kill until the product was ready again. */
  recoveryMs: number;
}

/** The product under load from outside, with a provider that no kill reaches. */
export interface KillSubject {
  runRound(options: RoundOptions): Promise<RoundFigures>;
  remove(): Promise<void>;
}

const concurrency = 24;
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
  await addOutsideProvider(sluice, sandbox.origin, [...new Set(kinds.map(({ model }) => model))]);
  const running = cleanup.move();
  let round = 0;
  return {
    runRound: (options) => runRound(sluice, sandbox, `round-${round++}`, options),
    remove: () => running.disposeAsync(),
  };
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
  const known = knownRequests(calls, sandbox);
  return {
    kind,
    calls: calls.length,
    known: known.size,
    recoveryMs,
    ...(await joinRows(sluice.connectionString(), name, known)),
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
