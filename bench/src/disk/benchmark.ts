import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { indexDay, listUnindexed } from '../../../server/src/db/log-partitions/day-indexes.ts';
import { createPool } from '../../../server/src/db/pool.ts';
import { createSluice, type SluiceProcess } from '../../../server/test/processes/sluice-process.ts';
import { formatFigure, formatTable, publish } from '../report/document.ts';

const root = join(import.meta.dirname, '../../../node_modules');
const longestLine = 400;

/**
 * Yields unique texts of the given size: documentation and code of the installed packages, ordered by package name,
 * without generated lines.
 */
export async function* readRealTexts(bytes: number): AsyncGenerator<string> {
  let text = '';
  for (const file of listFiles()) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (line.length > longestLine || line.trim() === '') continue;
      text += `${line}\n`;
      while (text.length >= bytes) {
        yield text.slice(0, bytes);
        text = text.slice(bytes);
      }
    }
  }
}

function* listFiles(): Generator<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) {
    const name = path.slice(root.length);
    if (
      /\.(md|ts|js|mjs)$/.test(name) &&
      !/licen[cs]e|\.min\.|\.d\.[mc]ts$|\/(cjs|umd|commonjs)\//i.test(name)
    )
      yield path;
  }
}

export interface Sending {
  readonly origin: string;
  readonly apiKey: string;
  readonly count: number;
  readonly promptBytes: number;
}

const inFlight = 32;
/** Model that echoes the prompt, so that responses are unique as well. */
const model = 'sandbox-echo';

export async function sendRequests({ origin, apiKey, count, promptBytes }: Sending): Promise<void> {
  const texts = readRealTexts(promptBytes);
  let sent = 0;
  const send = async () => {
    while (sent < count) {
      sent += 1;
      const { value: content, done } = await texts.next();
      if (done) throw new Error('there is not enough text in node_modules for so many requests');
      const answer = await fetch(`${origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`a request got a ${answer.status}: ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
}

const dayMs = 86_400_000;
const perRequests = 10_000;

type Client = Parameters<typeof indexDay>[0];

type Sizes = ReadonlyMap<string, number>;

interface Kind {
  readonly name: string;
  readonly promptBytes: number;
  readonly count: number;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '10000' },
      large: { type: 'string', default: '1000' },
      quick: { type: 'boolean', default: false },
    },
  });
  const kinds: readonly Kind[] = [
    { name: '1.3 KB', promptBytes: 1_300, count: Number(values.small) },
    { name: '100 KB', promptBytes: 100_000, count: Number(values.large) },
  ];
  const measured: Sizes[] = [];
  for (const kind of kinds) measured.push(await measure(kind));
  const parts = [...new Set(measured.flatMap((sizes) => [...sizes.keys()]))];
  const rows = parts.map((part) => [
    part,
    ...measured.map((sizes) => formatFigure((sizes.get(part) ?? 0) / 1e6, 2)),
  ]);
  publish('disk', args, {
    goals: [],
    tables: [
      formatTable([
        [`MB per ${perRequests} requests`, ...kinds.map(({ name }) => `prompts of ${name}`)],
        ...rows.filter((row) => row.slice(1).some((figure) => figure !== '0.00')),
      ]),
    ],
  });
}

async function measure({ promptBytes, count }: Kind): Promise<Sizes> {
  const sluice = await createSluice({ SLUICE_WORKERS: '1', LOG_LEVEL: 'warn' });
  try {
    await sluice.start();
    const pool = createPool(sluice.connectionString(), 1, 'sluice-bench');
    const client = await pool.connect();
    try {
      await client.query('SET statement_timeout = 0');
      return await fill(sluice, client, { promptBytes, count });
    } finally {
      client.release();
      await pool.end();
    }
  } finally {
    await sluice.remove();
  }
}

async function fill(sluice: SluiceProcess, client: Client, kind: Omit<Kind, 'name'>): Promise<Sizes> {
  const before = await readSizes(client);
  // While shippers are stopped, the journal keeps all records and can be measured.
  sluice.signal('SIGSTOP', 'shippers');
  await sendRequests({ origin: sluice.origin, apiKey: sluice.apiKey, ...kind });
  const journalBytes = sizeOf(join(sluice.dataDir, 'journal'));
  sluice.signal('SIGCONT', 'shippers');
  while ((await client.query('SELECT FROM request_logs')).rowCount !== kind.count) await delay(500);
  await client.query('VACUUM ANALYZE');
  const tomorrow = Math.floor(Date.now() / dayMs) + 1;
  const running = await readSizes(client);
  for (const day of await listUnindexed(client, tomorrow)) await indexDay(client, day);
  const after = await readSizes(client);
  const share = perRequests / kind.count;
  const grown = (sizes: Sizes) =>
    [...sizes].map(([part, bytes]) => [part, (bytes - (before.get(part) ?? 0)) * share] as const);
  const sum = (sizes: Sizes) => grown(sizes).reduce((total, [, bytes]) => total + bytes, 0);
  return new Map([
    ['database, during the day', sum(running)],
    ['database, after the end of the day', sum(after)],
    ...grown(after).map(([part, bytes]) => [`  ${part}`, bytes] as const),
    ['journal, before it is shipped', journalBytes * share],
  ]);
}

/**
 * Returns the sizes of tables with their TOAST data, and of indexes, over all partitions. Excludes the write-ahead
 * log.
 */
async function readSizes(client: Client): Promise<Sizes> {
  const { rows } = await client.query<{ part: string; bytes: string }>(`
    SELECT regexp_replace(c.relname, '_([0-9]{8}|default)', '') || CASE relkind WHEN 'i' THEN ' (index)' ELSE '' END AS part,
      sum(CASE relkind WHEN 'i' THEN pg_relation_size(c.oid) ELSE pg_table_size(c.oid) END) AS bytes
    FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') GROUP BY 1 ORDER BY 2 DESC`);
  return new Map(rows.map(({ part, bytes }) => [part, Number(bytes)]));
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((total, file) => total + (file.isFile() ? file.size : 0), 0);
}
