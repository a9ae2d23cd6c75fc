import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FeatureReader } from '../../server/src/intent/feature-reader.ts';
import {
  computeLogits,
  encodeModel,
  type IntentModel,
  intents,
  loadModel,
} from '../../server/src/intent/model.ts';
import { composeRows } from './compose.ts';
import { readExamples } from './example-set.ts';
import { measureFaithfulness } from './faithfulness.ts';
import { fitTemperature, measure } from './figures.ts';
import { createLessons, predictLeftOut } from './leave-out.ts';
import { fit, quantize } from './regression.ts';
import { type Measured, writeReport } from './report.ts';
import {
  applyCorrections,
  type Row,
  readCorrections,
  readMeasured,
  readOwnRows,
  readPool,
  withoutRepeats,
} from './rows.ts';

const relatives: [prefix: string, group: string][] = [
  ['GPTeacher', 'GPTeacher'],
  ['ExpertQA', 'ExpertQA'],
  ['vscode', 'vscode-copilot-chat'],
  ['repo-code', 'vscode-copilot-chat'],
  ['commit', 'commits'],
  ['mt-bench', 'mt-bench'],
  ['vicuna', 'mt-bench'],
  ['ifeval', 'ifeval'],
  ['m-ifeval', 'ifeval'],
  ['chatterbot', 'chatterbot-corpus'],
  ['tldr', 'tldr-pages'],
  ['composed', 'composed'],
  ['awesome-chatgpt', 'awesome-chatgpt-prompts'],
];

/** Sources with the same authors, templates or repositories are left out together. */
function groupOf(source: string): string {
  return relatives.find(([prefix]) => source.startsWith(prefix))?.[1] ?? source;
}

// Trains, measures and writes the intent model: npm run train. The same rows result in the same bytes, which `--
// --check` verifies. Without the public pool, only the existing model is measured. `-- --corrections <file>` adds the
// labels corrected by administrators.
const root = join(import.meta.dirname, '../..');
const poolFile = process.env.SLUICE_INTENT_DATA ?? join(root, '../shared/data/intent/train.jsonl');
const modelFile = join(root, 'server/src/intent/model.bin');
const reportFile = join(root, 'training/REPORT.md');

const { values: options } = parseArgs({
  options: { corrections: { type: 'string', multiple: true, default: [] }, check: { type: 'boolean' } },
});
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
if (!existsSync(poolFile)) process.exit(reportWithoutPool());
const pool = readPool(poolFile);
const heldOut = readMeasured('heldout.jsonl');
const adversarial = readMeasured('adversarial.jsonl');
const own = withoutRepeats([...readOwnRows(), ...composeRows()], [...pool, ...heldOut, ...adversarial]);
const corrections = options.corrections.flatMap(readCorrections);
const rows = applyCorrections([...pool, ...own], corrections);
const set = readExamples(rows.map(({ text }) => text));
const labeled = rows.map(({ label, source }, index) => ({
  index,
  label: intents.indexOf(label),
  group: groupOf(source),
}));

const leftOut = predictLeftOut(set, labeled);
const temperature = fitTemperature(leftOut);
const model = quantize(fit(set, createLessons(labeled)), temperature);
const bytes = encodeModel(model);
if (options.check) {
  const isSame = Buffer.from(bytes).equals(readFileSync(modelFile));
  console.log(`The model in the repository is ${isSame ? '' : 'not '}what this training writes.`);
  process.exit(isSame ? 0 : 1);
}
writeFileSync(modelFile, bytes);
const measured = [
  predictMeasured('held-out set', heldOut, model),
  predictMeasured('adversarial set', adversarial, model),
];
const measuredTexts = measured.flatMap(({ predictions }) => predictions.map(({ text }) => text));
const report = writeReport({
  rowCounts: {
    'the public pool': pool.length,
    'written by us': own.length,
    'corrected by administrators': corrections.length,
  },
  leftOut: leftOut.map((one) => ({ ...one, text: rows[one.index]?.text ?? '' })),
  measured,
  faithfulness: [1, 2, 3, 5].map((deleted) => ({
    deleted,
    ...measureFaithfulness(measuredTexts, model, deleted),
  })),
  temperature: model.temperature,
  modelBytes: bytes.length,
  modelHash: hash(bytes),
});
writeFileSync(reportFile, report);
console.log(report);

function reportWithoutPool(): number {
  console.error(
    `The public pool of labeled prompts is not at ${poolFile}. It is not part of the repository, see training/README.md; ` +
      'SLUICE_INTENT_DATA names another file. Nothing is trained, and --check cannot compare the bytes.',
  );
  const shipped = readFileSync(modelFile);
  const isReported = readFileSync(reportFile, 'utf8').includes(hash(shipped));
  console.log(
    `training/REPORT.md ${isReported ? 'describes' : 'does not describe'} the model in the repository.`,
  );
  const model = loadModel(shipped);
  for (const name of ['heldout', 'adversarial']) {
    const { accuracy, macroF1 } = measure(
      predictMeasured(name, readMeasured(`${name}.jsonl`), model).predictions,
    );
    console.log(`${name}.jsonl: accuracy ${accuracy.toFixed(3)}, macro-F1 ${macroF1.toFixed(3)}`);
  }
  return 1;
}

function predictMeasured(name: string, measuredRows: Row[], trained: IntentModel): Measured {
  const reader = new FeatureReader();
  const predictions = measuredRows.map(({ text, label }) => {
    reader.read(text);
    return { text, label: intents.indexOf(label), logits: computeLogits(reader, trained) };
  });
  return { name, predictions };
}
