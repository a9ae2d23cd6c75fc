import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { IntentModel } from '../../../server/src/intent/model.ts';
import { describeRun, formatTable } from '../report/document.ts';
import { median, percentile } from '../report/statistics.ts';

const root = join(import.meta.dirname, '../../..');
const sources = [
  'docs/ARCHITECTURE.md',
  'server/src/intent/feature-reader.ts',
  'docs/LIFECYCLE.md',
  'LICENSE',
];

/** Returns different prompts of the same length, so that caches have no effect. */
export function makePrompts(length: number, count: number): string[] {
  const pasted = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return Array.from({ length: count }, (_, index) => {
    const start = (index * 977) % pasted.length;
    const body = pasted.slice(start).padEnd(length, pasted);
    return `Explain what this does, please (${index}).\n\n${body}`.slice(0, length);
  });
}

export interface Options {
  rounds: number;
  roundMs: number;
}

const usage = `npm run bench intent -- [options]
  --rounds <n>    number of turns of each length (default 9)
  --round-ms <n>  length of a turn in milliseconds (default 200)`;

/** Parses the command line. Throws an error that explains the options if the command line is invalid. */
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
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`"${text}" is not a positive integer`);
  return Number(text);
}

const modelFile = join(import.meta.dirname, '../../../server/src/intent/model.bin');
const lengths = [100, 1000, 4000, 50_000];

/** The reference in the same run is a loop that only hashes each character of a prompt with 1,000 characters. */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const { classify, explain, model, loadMs } = await load();
  const explainIntent = (prompt: string): void => {
    explain(prompt, classify(prompt, model).intent, model);
  };
  const [referenceMicros] = measure(makePrompts(1000, 64), hashCharacters, options);
  const rows = lengths.map((length) => {
    const prompts = makePrompts(length, 64);
    const classified = measure(prompts, (prompt) => classify(prompt, model), options);
    const explained = measure(prompts, explainIntent, options);
    const ratio = (classified[0] / referenceMicros).toFixed(1);
    return [String(length), ...classified.map(format), ratio, ...explained.map(format)];
  });
  const header = ['characters', 'classify us', 'p90', 'x reference', 'explain us', 'p90'];
  console.log(`\n${describeRun('intent', args)}\n\n${formatTable([header, ...rows])}`);
  console.log(`\nThe reference, a hash of 1,000 characters, takes ${format(referenceMicros)} us.`);
  console.log(
    `Loading the classifier takes ${loadMs.toFixed(1)} ms, including its code and tables; all times are CPU time.`,
  );
}

async function load() {
  const before = process.threadCpuUsage();
  const { classify } = await import('../../../server/src/intent/classify.ts');
  const { explain } = await import('../../../server/src/intent/explain.ts');
  const { loadModel } = await import('../../../server/src/intent/model.ts');
  const model: IntentModel = loadModel(readFileSync(modelFile));
  const { user, system } = process.threadCpuUsage(before);
  return { classify, explain, model, loadMs: (user + system) / 1000 };
}

let lastHash = 0;

/** The result is stored, so that the compiler does not remove the loop. */
function hashCharacters(prompt: string): void {
  for (let index = 0; index < prompt.length; index++) {
    lastHash = Math.imul(lastHash ^ prompt.charCodeAt(index), 0x01000193);
  }
}

function format(micros: number): string {
  return micros.toFixed(1);
}

/** Returns CPU microseconds per call: median and 90th percentile over the rounds. */
function measure(prompts: string[], call: (prompt: string) => void, options: Options): [number, number] {
  spend(prompts, call, options.roundMs);
  const micros = Array.from({ length: options.rounds }, () => spend(prompts, call, options.roundMs));
  return [median(micros), percentile(micros, 0.9)];
}

function spend(prompts: string[], call: (prompt: string) => void, durationMs: number): number {
  const until = performance.now() + durationMs;
  const before = process.threadCpuUsage();
  let calls = 0;
  while (performance.now() < until) {
    for (const prompt of prompts) call(prompt);
    calls += prompts.length;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / calls;
}
