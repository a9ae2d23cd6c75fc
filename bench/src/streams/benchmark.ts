import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBareNode } from '../gateway/bare-node.ts';
import { awaitDeferredWork, readCpuParts } from '../gateway/cpu-time.ts';
import { readOptions } from '../gateway/options.ts';
import { providerAt } from '../gateway/provider.ts';
import { startSluice } from '../gateway/sluice.ts';
import type { Target } from '../gateway/subject.ts';
import {
  endWithResources,
  type Program,
  processTree,
  readResidentMegabytes,
  startProgram,
} from '../programs/program.ts';
import { untilOrigin } from '../programs/readiness.ts';
import { atMost, formatFigure, formatTable, publish, type Report } from '../report/document.ts';
import { median } from '../report/statistics.ts';
import { type StreamReply, type StreamResult, streamModel } from './stream-order.ts';

const eventsPerSecond = 20;
const graceMs = 30_000;

type Turn = StreamResult & { cpuPerEvent: number | null; kilobytesPerStream: number | null };

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      streams: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      quick: { type: 'boolean', default: false },
    },
  });
  const [streams, seconds, rounds] = [values.streams, values.seconds, values.rounds].map(Number);
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const script = new URL('stream-load.ts', import.meta.url);
    const generator = startProgram(resources, { name: 'stream load', script, hasChannel: true });
    const upstream = await generator.expect(untilOrigin(generator.child));
    const surroundings = { resources, upstream, dir, options: readOptions(['--no-control']) };
    const targets = new Map<string, Target>([
      ['direct', providerAt(upstream)],
      ['bare-parsing', await startBareNode(surroundings, '--parse')],
      ['sluice', await startSluice(surroundings, undefined, [streamModel], { SLUICE_CONCURRENCY: '5000' })],
    ]);
    const turns = new Map([...targets.keys()].map((name): [string, Turn[]] => [name, []]));
    const order = { streams: streams ?? 500, eventsPerSecond, seconds: seconds ?? 5 };
    for (let round = 0; round <= (rounds ?? 3); round += 1) {
      for (const [name, target] of targets) {
        const turn = await takeTurn(generator, target, order);
        // The first round is a warm-up.
        if (round > 0) turns.get(name)?.push(turn);
      }
    }
    publish('streams', args, makeReport(turns, order));
  });
}

async function takeTurn(
  generator: Program,
  target: Target,
  order: { streams: number; eventsPerSecond: number; seconds: number },
): Promise<Turn> {
  const cpuBefore = sumCpu(target);
  const memoryBefore = sumMemory(target);
  generator.child.send({ ...order, url: target.url, headers: target.headers });
  const reply = generator.expect(once(generator.child, 'message'), order.seconds * 1000 + graceMs);
  await delay(order.seconds * 1000);
  const memory = sumMemory(target);
  const [answer]: StreamReply[] = await reply;
  if (!answer || 'failure' in answer) throw new Error(answer?.failure);
  if (target.defersWork) await awaitDeferredWork(target);
  const { result } = answer;
  return {
    ...result,
    cpuPerEvent: target.program ? (sumCpu(target) - cpuBefore) / result.events : null,
    kilobytesPerStream: target.program ? ((memory - memoryBefore) * 1000) / order.streams : null,
  };
}

const sumCpu = (target: Target) =>
  [...(readCpuParts(target)?.values() ?? [])].reduce((sum, micros) => sum + micros, 0);

/** Returns the memory of all Node processes. PostgreSQL is excluded, since its memory does not grow with streams. */
function sumMemory({ program }: Target): number {
  const tree = program ? processTree(program.pid) : [];
  return tree
    .filter(({ name }) => name !== 'postgres')
    .reduce((sum, { pid }) => sum + readResidentMegabytes(pid), 0);
}

function makeReport(turns: ReadonlyMap<string, Turn[]>, order: { streams: number }): Report {
  const middle = (name: string, read: (turn: Turn) => number | null) =>
    median((turns.get(name) ?? []).map((turn) => read(turn) ?? 0));
  const rows = [...turns].map(([name, ofOne]) => [
    name,
    formatFigure(
      middle(name, ({ p50Ms }) => p50Ms),
      2,
    ),
    formatFigure(
      middle(name, ({ p99Ms }) => p99Ms),
      2,
    ),
    formatFigure(ofOne[0]?.cpuPerEvent === null ? null : middle(name, ({ cpuPerEvent }) => cpuPerEvent), 1),
    formatFigure(
      ofOne[0]?.kilobytesPerStream === null
        ? null
        : Math.max(...ofOne.map(({ kilobytesPerStream }) => kilobytesPerStream ?? 0)),
      0,
    ),
  ]);
  const header = ['', 'delay p50 ms', 'delay p99 ms', 'CPU us/event', 'KB/stream, most'];
  const cpu = (name: string) => middle(name, ({ cpuPerEvent }) => cpuPerEvent);
  const p99 = (name: string) => middle(name, ({ p99Ms }) => p99Ms);
  return {
    goals: [
      ...atMost(
        `delay of an event at ${order.streams} streams, added p99 compared with a direct connection, ms`,
        p99('sluice') - p99('direct'),
        5,
      ),
      ...atMost('CPU per event / bare proxy that parses', cpu('sluice') / cpu('bare-parsing'), 1.3),
      ...atMost(
        'memory a stream, KB',
        Math.max(...(turns.get('sluice') ?? []).map(({ kilobytesPerStream }) => kilobytesPerStream ?? 0)),
        40,
      ),
    ],
    tables: [formatTable([header, ...rows])],
  };
}
