import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@sluice/sandbox';
import { dialectNames, writeDialectRequest } from './dialects.ts';
import { type CallEnd, type OfferedCall, offerLoad } from './offered-load.ts';
import { startProductOver } from './product-over-provider.ts';
import type { SluiceProcess } from './sluice-process.ts';

/** What a load of several times the capacity came to, once. */
export interface OverloadFigures {
  /** Answers of 200 a second at saturation just before, and while too much was offered. */
  readonly peak: number;
  readonly offered: number;
  readonly goodput: number;
  /** How many calls got which status; `none` without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Refusals that are no 503 `overloaded` with a time to come again. */
  readonly impolite: readonly string[];
  readonly connectionsMax: number;
  /** From when a call was sent to the end of its answer; of refusals, once the worker had time to notice. */
  readonly servedP99Ms: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  /** Probes of /healthz and /readyz meanwhile that were not answered by a 200. */
  readonly failedProbes: number;
  readonly probes: number;
}

export interface OverloadSubject {
  /** Over so many connections at most. */
  runRound(times: number, forMs: number, connectionsMax: number): Promise<OverloadFigures>;
  remove(): Promise<void>;
}

const model = 'sandbox-normal';
/** As many as keep the worker busy all the time. */
const saturatingCallers = 64;
const noticedAfterMs = 2_000;
/** What a balancer would keep waiting for a connection; it turns away the rest itself. */
const waitingMax = 200;
const probeEveryMs = 100;

/** The product with one worker; its callers and its provider are in this process. */
export async function createOverloadSubject(): Promise<OverloadSubject> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const sluice = await startProductOver(sandbox.origin, [model], cleanup);
  const saturate = (forMs: number) =>
    offer(sluice, { ratePerSecond: null, forMs, connectionsMax: saturatingCallers });
  await saturate(5_000);
  const running = cleanup.move();
  return {
    async runRound(times, forMs, connectionsMax) {
      const peak = (await saturate(forMs)).goodput;
      const offered = times * peak;
      const ending = new AbortController();
      const probing = probe(sluice, ending.signal);
      const load = { ratePerSecond: offered, forMs, connectionsMax };
      const { goodput, ...told } = await offer(sluice, load);
      ending.abort();
      return { peak, offered, connectionsMax, goodput, ...told, ...(await probing) };
    },
    remove: () => running.disposeAsync(),
  };
}

let calls = 0;

interface Load {
  readonly ratePerSecond: number | null;
  readonly forMs: number;
  readonly connectionsMax: number;
}

async function offer(sluice: SluiceProcess, load: Load) {
  const statuses: Record<string, number> = {};
  const impolite: string[] = [];
  const servedMs: number[] = [];
  const refusedMs: number[] = [];
  const startedMs = performance.now();
  let servedInTime = 0;
  await offerLoad({
    port: Number(new URL(sluice.origin).port),
    ratePerSecond: load.ratePerSecond,
    durationMs: load.forMs,
    connectionsMax: load.connectionsMax,
    waitingMax,
    next: () => writeCall(sluice.apiKey),
    onEnd(_call: OfferedCall, end: CallEnd) {
      const status = String(end.status ?? 'none');
      statuses[status] = (statuses[status] ?? 0) + 1;
      const afterMs = performance.now() - startedMs;
      if (end.status === 200) servedMs.push(end.tookMs);
      else if (afterMs > noticedAfterMs) refusedMs.push(end.tookMs);
      if (end.status === 200 && afterMs < load.forMs) servedInTime++;
      if (end.status !== 200 && !isPolite(end.refusal)) impolite.push(end.refusal ?? 'no answer');
    },
  });
  return {
    goodput: (servedInTime / load.forMs) * 1_000,
    statuses,
    impolite,
    servedP99Ms: quantile(servedMs, 0.99),
    refusedP50Ms: quantile(refusedMs, 0.5),
    refusedP99Ms: quantile(refusedMs, 0.99),
  };
}

function writeCall(apiKey: string): OfferedCall {
  const number = calls++;
  const dialect = dialectNames[number % dialectNames.length] ?? 'openai-chat';
  const asked = { dialect, model, apiKey, stream: number % 8 >= 4, content: 'Hello there' };
  return { request: writeDialectRequest({ ...asked, clientRequestId: `overload-${number}` }) };
}

/** A 503 that says what is the matter and when to come again, as JSON of the caller's protocol. */
function isPolite(refusal: string | null): boolean {
  const [head = '', body = ''] = refusal?.split('\r\n\r\n') ?? [];
  return /^HTTP\/1\.1 503 .*\r\nretry-after: \d/is.test(head) && /overloaded/i.test(body);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

/** The console and the probes are not refused. */
async function probe({ origin }: SluiceProcess, signal: AbortSignal) {
  let probes = 0;
  let failedProbes = 0;
  while (!signal.aborted) {
    for (const path of ['/healthz', '/readyz']) {
      probes++;
      const status = await fetch(origin + path).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 200) failedProbes++;
    }
    await pause(probeEveryMs);
  }
  return { probes, failedProbes };
}
