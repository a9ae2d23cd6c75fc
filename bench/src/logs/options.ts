import { parseArgs } from 'node:util';

export interface Options {
  readonly rows: number;
  readonly days: number;
  readonly bodyDays: number;
  readonly repeats: number;
  /** Settings of the database server: those of the tests (no durability, no autovacuum), or those of the product. */
  readonly server: 'test' | 'product';
}

const usage = `npm run bench logs -- [options]
  --rows <n>       rows of the request log (default 300000)
  --days <n>       over so many days (default 90)
  --body-days <n>  the newest days, whose rows have texts (default 3)
  --repeats <n>    how often each question is asked (default 20)
  --product-server with the product's own settings of PostgreSQL, which outlive a crash`;

/** Parses the command line; throws an error that explains the options if it is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        rows: { type: 'string', default: '300000' },
        days: { type: 'string', default: '90' },
        'body-days': { type: 'string', default: '3' },
        repeats: { type: 'string', default: '20' },
        'product-server': { type: 'boolean', default: false },
      },
    });
    return {
      rows: readCount(values.rows),
      days: readCount(values.days),
      bodyDays: readCount(values['body-days']),
      repeats: readCount(values.repeats),
      server: values['product-server'] ? 'product' : 'test',
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`"${text}" is no count`);
  return Number(text);
}
