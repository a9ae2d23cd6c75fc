import { parseArgs } from 'node:util';

export interface Options {
  readonly store: 'postgres' | 'clickhouse';
  readonly rows: number;
  readonly days: number;
  readonly bodyDays: number;
  readonly repeats: number;
  /** PostgreSQL settings: of the tests (no durability, no autovacuum) or of the product. */
  readonly server: 'test' | 'product';
  /** Absolute path of a persistent data folder; `null` for a temporary folder. */
  readonly dataDir: string | null;
  readonly isFillOnly: boolean;
}

const usage = `npm run bench logs -- [options]
  --store <name>   postgres (default) or clickhouse
  --rows <n>       rows of the request log (default 300000)
  --days <n>       number of days that the rows span (default 90)
  --body-days <n>  number of newest days whose rows have texts (default 3)
  --repeats <n>    number of runs of each query (default 20)
  --data <folder>  absolute path of a folder for the data; if it is filled, the run only reads
  --fill-only      only fills the folder
  --product-server with the crash-safe PostgreSQL settings of the product
  --quick          leaves docs/BENCHMARKS.md unchanged`;

/** Parses the command line. Throws an error that explains the options if the command line is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        store: { type: 'string', default: 'postgres' },
        rows: { type: 'string', default: '300000' },
        days: { type: 'string', default: '90' },
        'body-days': { type: 'string', default: '3' },
        repeats: { type: 'string', default: '20' },
        data: { type: 'string' },
        'fill-only': { type: 'boolean', default: false },
        'product-server': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
      },
    });
    if (values.store !== 'postgres' && values.store !== 'clickhouse')
      throw new Error(`"${values.store}" is not a store`);
    return {
      store: values.store,
      rows: readCount(values.rows),
      days: readCount(values.days),
      bodyDays: readCount(values['body-days']),
      repeats: readCount(values.repeats),
      server: values['product-server'] ? 'product' : 'test',
      dataDir: values.data ?? null,
      isFillOnly: values['fill-only'],
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`"${text}" is not a positive integer`);
  return Number(text);
}
