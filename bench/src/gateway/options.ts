import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  bodyBytes: number;
  isStreaming: boolean;
  connections: number;
  seconds: number;
  rounds: number;
  warmUpSeconds: number;
  workers: number;
  /** Fixed rates in requests per second. Every subject is measured at each rate. */
  rates: number[];
  /** Whether a second Sluice runs as `sluice-again`. Its ratio to the first shows the noise. */
  hasControl: boolean;
  /** Names of the subjects to measure; `null` means all. */
  only: string[] | null;
  /** Folder whose node_modules may contain other gateways; `null` means the project folder. */
  peers: string | null;
  /** Path of the one-api program; `null` skips one-api. */
  oneApi: string | null;
  /** Folder of another checkout of the project to measure as well; `null` means none. */
  against: string | null;
}

const usage = `npm run bench gateway -- [options]
  --body <size>        size of the request, such as 1500 or 200k (default 1.5k)
  --stream             ask for streams
  --connections <n>    number of concurrent clients (default 32)
  --rates <a,b>        fixed rates, in requests per second (default 300,500,600,1000)
  --seconds <n>        length of one slice: one subject in one round (default 2)
  --rounds <n>         number of turns of each subject (default 5)
  --warm-up <seconds>  length of an unmeasured warm-up turn (default 5)
  --workers <n>        worker processes of Sluice (default 1, the same as nginx)
  --only <a,b>         only these subjects
  --no-control         without a second Sluice, the control
  --quick              prints only and does not write docs/BENCHMARKS.md
  --against <folder>   another checkout with its node_modules, measured as sluice-before
  --peers <folder>     compares with Portkey and LiteLLM installed there, and with one-api
  --one-api <file>     program of one-api, built from its public repository`;

/** Parses the command line. Throws an error that explains the options if the command line is invalid. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        body: { type: 'string', default: '1.5k' },
        stream: { type: 'boolean', default: false },
        connections: { type: 'string', default: '32' },
        seconds: { type: 'string', default: '2' },
        rounds: { type: 'string', default: '5' },
        'warm-up': { type: 'string', default: '5' },
        workers: { type: 'string', default: '1' },
        rates: { type: 'string', default: '300,500,600,1000' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        'no-control': { type: 'boolean', default: false },
        against: { type: 'string' },
        peers: { type: 'string' },
        'one-api': { type: 'string' },
      },
    });
    return {
      bodyBytes: readSize(values.body),
      isStreaming: values.stream,
      connections: readCount(values.connections),
      seconds: readCount(values.seconds),
      rounds: readCount(values.rounds),
      warmUpSeconds: readCount(values['warm-up']),
      workers: readCount(values.workers),
      rates: values.rates.split(',').map(readCount),
      hasControl: !values['no-control'],
      only: values.only?.split(',') ?? null,
      against: values.against === undefined ? null : resolve(values.against),
      peers: values.peers === undefined ? null : resolve(values.peers),
      oneApi: values['one-api'] === undefined ? null : resolve(values['one-api']),
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function readSize(text: string): number {
  const [, figure, unit] = /^(\d+(?:\.\d+)?)(k?)$/i.exec(text) ?? [];
  if (figure === undefined) throw new Error(`"${text}" is not a valid size`);
  return Math.round(Number(figure) * (unit ? 1000 : 1));
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`"${text}" is not a positive integer`);
  return Number(text);
}
