import { parseArgs } from 'node:util';

export interface Options {
  readonly turns: number;
  readonly tokensPerSecond: number;
  readonly seconds: number;
  readonly stops: number;
}

const usage = `npm run bench chat -- [options]
  --turns <n>              turns of the thread before the measured answer (default 200)
  --tokens-per-second <n>  how fast the answer comes (default 100)
  --seconds <n>            how long frames are counted (default 10)
  --stops <n>              how often an answer is stopped (default 5)`;

/** Parses the command line; throws an error that explains the options if it is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        turns: { type: 'string', default: '200' },
        'tokens-per-second': { type: 'string', default: '100' },
        seconds: { type: 'string', default: '10' },
        stops: { type: 'string', default: '5' },
      },
    });
    return {
      turns: readCount(values.turns),
      tokensPerSecond: readCount(values['tokens-per-second']),
      seconds: readCount(values.seconds),
      stops: readCount(values.stops),
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`"${text}" is no count`);
  return Number(text);
}
