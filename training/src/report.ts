import { intents } from '../../server/src/intent/model.ts';
import type { Faithfulness } from './faithfulness.ts';
import {
  type Figures,
  measure,
  measureBands,
  measureCalibrationError,
  measureCoverage,
  type Prediction,
} from './figures.ts';
import type { LeftOut } from './leave-out.ts';

const scripts: [language: string, pattern: RegExp][] = [
  ['ja', /[\u3040-\u30ff]/],
  ['ko', /[\uac00-\ud7a3]/],
  ['zh', /[\u4e00-\u9fff]/],
  ['hi', /[\u0900-\u097f]/],
  ['ar', /[\u0600-\u06ff]/],
  ['uk', /[іїєґ]/i],
  ['ru', /[\u0400-\u04ff]/],
];

const smallWords: [language: string, words: string][] = [
  ['en', 'the of and to in is for what how write with this that are a my me you can it from do please'],
  [
    'de',
    'der die das und ist nicht ein eine für mit wie ich den schreibe zu auf im dem von kannst was mir bitte',
  ],
  ['fr', 'le la les des une est pour avec dans que qui du et comment je mon écris ce sur moi en au'],
  ['es', 'el los las una para con por que es como mi escribe del y un cómo qué me se lo al en'],
  ['pt', 'o os as um uma para com por que é como meu não escreva do da e me em ao você qual'],
  ['it', 'il lo gli una per con che è come mio scrivi del della e un di mi nel cosa sono'],
  ['nl', 'de het een en is niet voor met hoe ik van schrijf wat mijn dat op te zijn'],
  ['pl', 'w i na do jest się nie z jak napisz co dla mi czy to o że'],
  ['tr', 've bir bu için ile nasıl ne yaz mi mı da de bana olan çok'],
];

/** Guesses the language of a prompt for reports, by script or by the most common short words. */
function guessLanguage(text: string): string {
  const start = text.slice(0, 600);
  const ofScript = scripts.find(
    ([, pattern]) => (start.match(new RegExp(pattern, 'gi'))?.length ?? 0) * 5 > start.length,
  );
  if (ofScript) return ofScript[0];
  const words = start.toLowerCase().split(/[^\p{L}]+/u);
  let [best, most] = ['en', 0];
  for (const [language, list] of smallWords) {
    const known = new Set(list.split(' '));
    const count = words.filter((word) => known.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

const confidenceEdges = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export interface Measured {
  name: string;
  predictions: (Prediction & { text: string })[];
}
export interface Findings {
  rowCounts: Record<string, number>;
  leftOut: (LeftOut & { text: string })[];
  measured: Measured[];
  faithfulness: (Faithfulness & { deleted: number })[];
  temperature: number;
  modelBytes: number;
  modelHash: string;
}

/** Returns the report as Markdown. */
export function writeReport(findings: Findings): string {
  const { rowCounts, leftOut, measured, faithfulness, temperature, modelBytes, modelHash } = findings;
  const sets = [{ name: 'left-out sources', predictions: leftOut }, ...measured];
  return `${[
    '# The intent model, measured',
    'Written by `npm run train`. For each group of related sources, a model is trained on all other sources and predicts at most 500 rows of the group. The project wrote the held-out and the adversarial set, which are never used for training.',
    table([
      ['rows', 'trained on'],
      ...Object.entries(rowCounts).map(([name, count]) => [name, String(count)]),
    ]),
    `The model takes ${modelBytes} bytes, its SHA-256 is ${modelHash}; its temperature is ${temperature.toFixed(3)}.`,
    '## Overall',
    table([
      ['set', 'rows', 'accuracy', 'macro-F1', 'confidence >= 0.7', 'precision there'],
      ...sets.map(({ name, predictions }) => [name, ...overallCells(predictions, temperature)]),
    ]),
    '## By class',
    ...sets.map(({ name, predictions }) => `${capitalize(name)}:\n\n${classTable(measure(predictions))}`),
    '## By source left out',
    table([['source', 'rows', 'accuracy'], ...rowsBy(leftOut, ({ group }) => group)]),
    '## By language',
    ...sets.map(
      ({ name, predictions }) =>
        `${capitalize(name)}:\n\n${table([['language', 'rows', 'accuracy'], ...rowsBy(predictions, ({ text }) => guessLanguage(text))])}`,
    ),
    '## Calibration on left-out sources',
    table([
      ['confidence', 'rows', 'mean confidence', 'accuracy'],
      ...measureBands(leftOut, temperature, confidenceEdges).map(
        ({ from, to, count, confidence, accuracy }) => [
          `${from} to ${to}`,
          String(count),
          confidence.toFixed(3),
          accuracy.toFixed(3),
        ],
      ),
    ]),
    `The expected calibration error is ${measureCalibrationError(leftOut, temperature, confidenceEdges).toFixed(3)}.`,
    '## Faithfulness of explanations',
    'The table shows by how much the probability of the intent decreases when the top words of an explanation are deleted, compared with the same number of random words (mean of five tries), for prompts of the held-out and the adversarial set. Prompts with fewer than twice as many words are skipped.',
    faithfulnessTable(faithfulness),
  ].join('\n\n')}\n`;
}

function faithfulnessTable(faithfulness: Findings['faithfulness']): string {
  return table([
    [
      'deleted words',
      'prompts',
      'decrease, top words',
      'decrease, random words',
      'prompts with a larger decrease for the top words',
    ],
    ...faithfulness.map(({ deleted, prompts, named, atRandom, shareOfPrompts }) => [
      String(deleted),
      String(prompts),
      ...[named, atRandom, shareOfPrompts].map((figure) => figure.toFixed(3)),
    ]),
  ]);
}

function overallCells(predictions: Prediction[], temperature: number): string[] {
  const { count, accuracy, macroF1 } = measure(predictions);
  const { coverage, precision } = measureCoverage(predictions, temperature, 0.7);
  return [String(count), ...[accuracy, macroF1, coverage, precision].map((figure) => figure.toFixed(3))];
}

function classTable({ classes }: Figures): string {
  return table([
    ['class', 'rows', 'precision', 'recall', 'F1'],
    ...classes.map(({ count, precision, recall, f1 }, label) => [
      intents[label] ?? '',
      String(count),
      ...[precision, recall, f1].map((figure) => figure.toFixed(3)),
    ]),
  ]);
}

function rowsBy<One extends Prediction>(predictions: One[], keyOf: (one: One) => string): string[][] {
  const parts = [...Map.groupBy(predictions, keyOf)].sort(([, one], [, other]) => other.length - one.length);
  return parts.map(([key, part]) => [key, String(part.length), measure(part).accuracy.toFixed(3)]);
}

function table([header = [], ...rows]: string[][]): string {
  const lines = [header, header.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
