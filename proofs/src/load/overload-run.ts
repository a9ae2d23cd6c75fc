import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@sluice/sandbox';
import { type CallEnd, type OfferedCall, offerLoad } from '#test/load/offered-load.ts';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { dialectNames, writeDialectRequest } from '#test/requests/dialects.ts';
import { startProductOver } from '../providers/product-over-provider.ts';

export interface OverloadFigures {
  /** Successful responses per second at saturation before the overload, and during the overload. */
  readonly peak: number;
  readonly offered: number;
  readonly goodput: number;
  /** Number of calls by status. `none` counts calls without a response. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Rejections other than a 503 `overloaded` with a retry time. */
  readonly impolite: readonly string[];
  readonly connectionsMax: number;
  /**
   * Milliseconds from sending a call to the end of its response. Rejections before the worker had time to react are
   * excluded.
   */
  readonly servedP99Ms: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  readonly failedProbes: number;
  readonly probes: number;
}

export interface OverloadSubject {
  runRound(times: number, forMs: number, connectionsMax: number): Promise<OverloadFigures>;
  remove(): Promise<void>;
}

const model = 'sandbox-normal';
const saturatingCallers = 64;
const noticedAfterMs = 2_000;
/** Queue length of a typical load balancer, which rejects further calls itself. */
const waitingMax = 200;
const probeEveryMs = 100;

/** Callers and provider run in this process. */
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

/** Whether a rejection is a 503 with reason and retry time, as JSON in the caller's protocol. */
function isPolite(refusal: string | null): boolean {
  const [head = '', body = ''] = refusal?.split('\r\n\r\n') ?? [];
  return /^HTTP\/1\.1 503 .*\r\nretry-after: \d/is.test(head) && /overloaded/i.test(body);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

/** Counts responses from /healthz and /readyz with another status than 200. */
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
