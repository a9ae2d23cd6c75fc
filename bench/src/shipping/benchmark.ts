import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openRecords } from '../logs/draw-record.ts';
import { formatTable, type Goal, publish } from '../report/document.ts';
import { median, spreadRatios } from '../report/statistics.ts';
import { deleteJournal, shipAtRate, shipCopy, writeJournal } from './journals.ts';
import { openStores, type Store } from './stores.ts';

/** Target CPU time per request of shipper and databases, relative to PostgreSQL alone. */
const ratioWanted = 0.5;

interface Shipped {
  readonly requestsPerSecond: number;
  /** CPU microseconds per request, by part. */
  readonly cpu: ReadonlyMap<string, number>;
}

/**
 * Ships the same requests to a request log in PostgreSQL and to one in ClickHouse, first as a backlog in full
 * batches, then at a fixed rate. The stores alternate, and each round starts with the other store.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '3' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '15' },
      quick: { type: 'boolean', default: false },
    },
  });
  await using resources = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'sluice-shipping-'));
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  const stores = await openStores(resources, dir);
  const [count, rate] = [Number(values.requests), Number(values.rate)];
  const backlog = await measureRounds(stores, Number(values.rounds), async (draw) => {
    const journal = await writeJournal(dir, count, draw);
    return {
      count,
      ship: ({ slotDir }) => shipCopy(journal, slotDir),
      end: () => deleteJournal(journal),
    };
  });
  const live = await measureRounds(stores, Number(values.rounds), async (draw) => {
    const records = Array.from({ length: rate * Number(values.seconds) }, draw);
    return {
      count: records.length,
      ship: ({ slotDir }) => shipAtRate(slotDir, records, rate),
      end: () => {},
    };
  });
  const phases = [
    [`a backlog of ${count} requests`, backlog],
    [`${rate} requests/s`, live],
  ] as const;
  publish('shipping', args, {
    goals: phases.map(([name, measured]) => toGoal(name, measured)),
    tables: phases.map(([name, measured]) => `${name}:\n\n${formatStores(measured)}`),
  });
}

interface Load {
  readonly count: number;
  ship(store: Store): Promise<void>;
  end(): void;
}

type Measured = ReadonlyMap<Store['name'], Shipped[]>;

async function measureRounds(
  stores: readonly Store[],
  rounds: number,
  makeLoad: (draw: Awaited<ReturnType<typeof openRecords>>) => Promise<Load>,
): Promise<Measured> {
  const draw = stores[0] && (await openRecords(stores[0].pool));
  if (!draw) throw new Error('there are no stores');
  const measured = new Map(stores.map(({ name }) => [name, [] as Shipped[]]));
  for (let round = 0; round <= rounds; round++) {
    const load = await makeLoad(draw);
    for (const store of round % 2 === 0 ? stores : stores.toReversed()) {
      const shipped = await measure(store, load);
      // The first round is a warm-up.
      if (round > 0) measured.get(store.name)?.push(shipped);
    }
    load.end();
  }
  return measured;
}

async function measure(store: Store, { count, ship }: Load): Promise<Shipped> {
  const before = store.readCpu();
  const beganAtMs = performance.now();
  await ship(store);
  const seconds = (performance.now() - beganAtMs) / 1000;
  const after = await awaitIdle(store);
  const cpu = new Map([...after].map(([part, micros]) => [part, (micros - (before.get(part) ?? 0)) / count]));
  return { requestsPerSecond: count / seconds, cpu };
}

const watchMs = 1_500;
const restingMicros = 60_000;

/** Waits for deferred work, such as merges. Returns the total CPU usage. */
async function awaitIdle(store: Store): Promise<ReadonlyMap<string, number>> {
  const sum = (cpu: ReadonlyMap<string, number>) => [...cpu.values()].reduce((one, other) => one + other, 0);
  for (let before = store.readCpu(); ; ) {
    await delay(watchMs);
    const after = store.readCpu();
    if (sum(after) - sum(before) < restingMicros) return after;
    before = after;
  }
}

const totalOf = ({ cpu }: Shipped) => [...cpu.values()].reduce((sum, micros) => sum + micros, 0);

function toGoal(name: string, measured: Measured): Goal {
  const ratios = spreadRatios(
    (measured.get('clickhouse') ?? []).map(totalOf),
    (measured.get('postgres') ?? []).map(totalOf),
  );
  if (!ratios) throw new Error('nothing was measured');
  return {
    name: `CPU per request with ClickHouse / with PostgreSQL, ${name}`,
    wanted: `<= ${ratioWanted}`,
    measured: `${ratios.median.toFixed(2)} (${ratios.min.toFixed(2)} - ${ratios.max.toFixed(2)})`,
    isMet: ratios.median <= ratioWanted,
  };
}

function formatStores(measured: Measured): string {
  const parts = ['shipper', 'postgresql', 'clickhouse'];
  const rows = [...measured].map(([name, shipped]) => [
    name,
    median(shipped.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
    median(shipped.map(totalOf)).toFixed(1),
    ...parts.map((part) => median(shipped.map(({ cpu }) => cpu.get(part) ?? 0)).toFixed(1)),
  ]);
  return formatTable([['request log', 'requests/s', 'CPU us/request', ...parts], ...rows]);
}
