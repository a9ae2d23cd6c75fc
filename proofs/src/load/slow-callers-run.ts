import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '@sluice/sandbox';
import { offerLoad } from '#test/load/offered-load.ts';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { writeDialectRequest } from '#test/requests/dialects.ts';
import { startProductOver } from '../providers/product-over-provider.ts';

/** Kinds of slow callers: silent callers, and callers that send one byte per second of the head or of the body. */
export const slownesses = ['silent', 'head', 'body'] as const;
export type Slowness = (typeof slownesses)[number];

export interface SlowCallersFigures {
  readonly open: number;
  /**
   * 99th percentiles of the response time of normal calls, one per slice: without slow callers, and together with them.
   */
  readonly calmP99Ms: readonly number[];
  readonly besideP99Ms: readonly number[];
  readonly calls: number;
  /** Results of normal calls other than 200. */
  readonly failures: readonly string[];
  /** Connections that the node accepted and closed, with their duration, by kind. */
  readonly ended: Readonly<Record<Slowness, Lasted>>;
}

export interface Lasted {
  readonly count: number;
  readonly shortestMs: number;
  readonly longestMs: number;
}

const model = 'sandbox-normal';
const ratePerSecond = 200;
const sliceMs = 15_000;
const slices = 3;
/** Interval between new connections. It avoids measuring the opening of connections. */
const openEveryMs = 1;
const settleMs = 3_000;
const dripEveryMs = 1_000;

/** Runs the product with one worker and `count` slow connections. A closed connection is replaced by a new one. */
export async function runSlowCallers(count: number): Promise<SlowCallersFigures> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const sluice = await startProductOver(sandbox.origin, [model], cleanup);
  const honest = createHonestCallers(sluice);
  await honest.ask();
  const slow = createSlowCallers(sluice, count);
  const calmP99Ms = [await honest.ask()];
  const besideP99Ms: number[] = [];
  let open = count;
  for (let slice = 0; slice < slices; slice++) {
    await slow.begin();
    besideP99Ms.push(await honest.ask(slice === slices - 1 ? bodyTimeoutMs : sliceMs));
    open = Math.min(open, slow.open());
    await slow.stop();
    // Intentional delay: closing all connections together must not affect the next measurement.
    await pause(settleMs);
    calmP99Ms.push(await honest.ask());
  }
  return { open, calmP99Ms, besideP99Ms, ...honest.counts(), ended: slow.ended };
}

/** Length of the last slice. A body times out after one minute plus the check interval. */
const bodyTimeoutMs = 65_000;

function createHonestCallers({ origin, apiKey }: SluiceProcess) {
  let calls = 0;
  const failures: string[] = [];
  return {
    counts: () => ({ calls, failures }),
    /** Returns the 99th percentile of the latency. */
    async ask(durationMs = sliceMs): Promise<number> {
      const tookMs: number[] = [];
      await offerLoad({
        port: Number(new URL(origin).port),
        ratePerSecond,
        durationMs,
        connectionsMax: 100,
        next: () => ({ request: writeCall(apiKey, `honest-${calls++}`) }),
        onEnd(_call, end) {
          tookMs.push(end.tookMs);
          if (end.status !== 200) failures.push(`${end.status}: ${end.refusal ?? 'no answer'}`);
        },
      });
      return tookMs.toSorted((one, other) => one - other)[Math.floor(tookMs.length * 0.99)] ?? 0;
    },
  };
}

const writeCall = (apiKey: string, clientRequestId: string, content = 'Hello there') =>
  writeDialectRequest({ dialect: 'openai-chat', model, stream: false, apiKey, clientRequestId, content });

const none: Lasted = { count: 0, shortestMs: Number.POSITIVE_INFINITY, longestMs: 0 };

function createSlowCallers({ origin, apiKey }: SluiceProcess, count: number) {
  const port = Number(new URL(origin).port);
  const open = new Set<Socket>();
  const ended = { silent: none, head: none, body: none };
  let isOn = false;
  const openOne = (slowness: Slowness) => {
    const startedMs = performance.now();
    const socket = connect(port, '127.0.0.1');
    const text = writeCall(apiKey, `slow-${startedMs}`, 'a body that comes a byte a second '.repeat(20));
    const whole = slowness === 'body' ? text.indexOf('\r\n\r\n') + 4 : 0;
    let sent = whole;
    if (whole > 0) socket.write(text.slice(0, whole));
    const drip = () => void (slowness !== 'silent' && socket.write(text.charAt(sent++)));
    const dripping = setInterval(drip, dripEveryMs);
    open.add(socket);
    let wasTaken = false;
    socket.on('connect', () => {
      wasTaken = true;
    });
    socket.resume().on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(dripping);
      open.delete(socket);
      if (!isOn) return;
      if (wasTaken) ended[slowness] = addLasted(ended[slowness], performance.now() - startedMs);
      openOne(slowness);
    });
  };
  return {
    ended,
    open: () => open.size,
    async begin() {
      isOn = true;
      for (let place = 0; place < count; place++) {
        openOne(slownesses[place % slownesses.length] ?? 'silent');
        if (place % 10 === 9) await pause(10 * openEveryMs);
      }
    },
    async stop() {
      isOn = false;
      for (const socket of open) socket.destroy();
      while (open.size > 0) await pause(50);
    },
  };
}

const addLasted = ({ count, shortestMs, longestMs }: Lasted, lastedMs: number): Lasted => ({
  count: count + 1,
  shortestMs: Math.min(shortestMs, lastedMs),
  longestMs: Math.max(longestMs, lastedMs),
});
