import { percentile } from '../report/statistics.ts';
import { type Lane, openLane, type Timing } from './lane.ts';
import type { LoadOrder, LoadResult, Quantiles } from './load.ts';

const tickEveryMs = 1;

export interface Pacing {
  /** Returns the due time of the next request to send now, or `undefined` if no request is due. */
  next(): number | undefined;
  isOver(): boolean;
  stop(): void;
}

/** Paces requests in a closed loop: a request is due whenever a connection is free. */
function paceByAnswers(durationMs: number): Pacing {
  const endsAtMs = performance.now() + durationMs;
  const isOver = () => performance.now() >= endsAtMs;
  return { next: () => (isOver() ? undefined : performance.now()), isOver, stop() {} };
}

/**
 * Paces requests in an open loop: requests are due at a fixed rate and queue for a free connection. Due times start
 * at the first tick that could send, so that the coarse timer does not add to the measured latency.
 */
function paceByRate(durationMs: number, ratePerSecond: number, onDue: () => void): Pacing {
  const startedAtMs = performance.now();
  const due: number[] = [];
  let planned = 0;
  let hasEnded = false;
  const ticker = setInterval(() => {
    const now = performance.now();
    const elapsedMs = Math.min(now - startedAtMs, durationMs);
    for (; planned < Math.floor((elapsedMs / 1000) * ratePerSecond); planned += 1) due.push(now);
    hasEnded = elapsedMs === durationMs;
    if (hasEnded) clearInterval(ticker);
    onDue();
  }, tickEveryMs);
  return {
    next: () => due.shift(),
    isOver: () => hasEnded && due.length === 0,
    stop: () => clearInterval(ticker),
  };
}

const answersWithinMs = 15_000;

/** Sends requests for the duration of the order, and waits for the last responses. Rejects if any request fails. */
export async function applyLoad(order: LoadOrder): Promise<LoadResult> {
  const timings: Timing[] = [];
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const onAnswer = (lane: Lane, timing: Timing) => {
    timings.push(timing);
    idle.push(lane);
    assign();
  };
  const lanes = await openLanes(order, { onAnswer, onFailure: reject });
  const idle = [...lanes];

  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  const { durationMs, ratePerSecond } = order;
  const pacing =
    ratePerSecond === null ? paceByAnswers(durationMs) : paceByRate(durationMs, ratePerSecond, assign);
  const tooLate = () => reject(new Error(`${order.url} left requests without a response`));
  const deadline = setTimeout(tooLate, durationMs + answersWithinMs);

  function assign(): void {
    while (idle.length > 0) {
      const dueAtMs = pacing.next();
      if (dueAtMs === undefined) break;
      idle.shift()?.send(dueAtMs);
    }
    if (idle.length === lanes.length && pacing.isOver()) resolve();
  }

  assign();
  try {
    await over;
  } finally {
    clearTimeout(deadline);
    pacing.stop();
    for (const lane of lanes) lane.close();
  }
  return summarize(timings, startedAtMs, process.cpuUsage(cpuBefore));
}

function openLanes(order: LoadOrder, listeners: Parameters<typeof openLane>[2]): Promise<Lane[]> {
  const url = new URL(order.url);
  const headers = Object.entries({
    host: url.host,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(order.body),
    ...order.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`POST ${url.pathname} HTTP/1.1\r\n${headers.join('')}\r\n${order.body}`);
  return Promise.all(Array.from({ length: order.connections }, () => openLane(url, request, listeners)));
}

function summarize(timings: Timing[], startedAtMs: number, cpu: NodeJS.CpuUsage): LoadResult {
  return {
    requests: timings.length,
    elapsedMs: (timings.at(-1)?.endedAtMs ?? startedAtMs) - startedAtMs,
    whole: quantiles(timings.map(({ dueAtMs, endedAtMs }) => endedAtMs - dueAtMs)),
    firstByte: quantiles(timings.map(({ dueAtMs, firstByteAtMs }) => firstByteAtMs - dueAtMs)),
    generatorCpuMicros: cpu.user + cpu.system,
  };
}

function quantiles(durationsMs: number[]): Quantiles {
  return { p50Ms: percentile(durationsMs, 0.5), p99Ms: percentile(durationsMs, 0.99) };
}
