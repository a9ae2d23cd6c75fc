import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classify } from '../../../server/src/intent/classify.ts';
import { explain } from '../../../server/src/intent/explain.ts';
import { type IntentModel, loadModel } from '../../../server/src/intent/model.ts';
import { describeRun } from '../report/machine.ts';
import { median, percentile } from '../report/statistics.ts';
import { formatTable } from '../report/table.ts';
import { type Options, readOptions } from './options.ts';
import { makePrompts } from './prompts.ts';

const modelFile = join(import.meta.dirname, '../../../server/src/intent/model.bin');
const lengths = [100, 1000, 4000, 50_000];

/** Measures what it costs to load the intent model, to classify prompts of several lengths and to explain one. */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const started = performance.now();
  const model = loadModel(readFileSync(modelFile));
  const loadMs = performance.now() - started;

  const rows = lengths.map((length) => {
    const prompts = makePrompts(length, 64);
    const classified = measure(prompts, (prompt) => classify(prompt, model), options);
    const explained = measure(prompts, (prompt) => explainIntent(prompt, model), options);
    return [String(length), ...[...classified, ...explained].map((micros) => micros.toFixed(1))];
  });
  const header = ['characters', 'classify us', 'p90', 'explain us', 'p90'];
  console.log(`\n${describeRun('intent', args)}\n\n${formatTable([header, ...rows])}`);
  console.log(`\nThe model is loaded in ${loadMs.toFixed(1)} ms.`);
}

function explainIntent(prompt: string, model: IntentModel): void {
  explain(prompt, classify(prompt, model).intent, model);
}

/** Microseconds of one call: the median and the 90th percentile over the rounds, of CPU time. */
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
