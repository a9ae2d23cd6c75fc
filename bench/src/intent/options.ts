import { parseArgs } from 'node:util';

export interface Options {
  rounds: number;
  roundMs: number;
}

const usage = `npm run bench intent -- [options]
  --rounds <n>    how often each length has its turn (default 9)
  --round-ms <n>  length of a turn in milliseconds (default 200)`;

/** Parses the command line; throws an error that explains the options if it is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: { rounds: { type: 'string', default: '9' }, 'round-ms': { type: 'string', default: '200' } },
    });
    return { rounds: readCount(values.rounds), roundMs: readCount(values['round-ms']) };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`"${text}" is no count`);
  return Number(text);
}
