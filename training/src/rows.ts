import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Intent, intents } from '../../server/src/intent/intents.ts';

/** One prompt and what it asks for. `source` says where it comes from. */
export interface Row {
  text: string;
  label: Intent;
  source: string;
}

interface PoolCorrection {
  source: string;
  text: string;
  label: Intent | null;
}

const trainingDir = join(import.meta.dirname, '..');

/** The pool of public data, with our corrections: a wrong label is replaced, a row that nobody can judge left out. */
export function readPool(file: string): Row[] {
  const corrections = new Map<string, PoolCorrection['label']>();
  for (const correction of readLines(join(trainingDir, 'corrections.jsonl'))) {
    const { source, text, label } = correction as PoolCorrection; // safe because the file is ours and tested
    corrections.set(keyOf(source, text), label);
  }
  return readRows(file).flatMap((row) => {
    const label = corrections.get(keyOf(row.source, row.text));
    if (label === undefined) return [row];
    return label === null ? [] : [{ ...row, label }];
  });
}

const correctedPrefix = 120;

function keyOf(source: string, text: string): string {
  return `${source}\n${text.slice(0, correctedPrefix)}`;
}

/** Rows with the labels that administrators corrected: JSON lines of `{text, label}`. */
export function readCorrections(file: string): Row[] {
  return readRows(file).map(({ text, label }) => ({ text, label, source: 'correction' }));
}

/** All rows, where a correction takes the place of every row with the same text. */
export function applyCorrections(rows: Row[], corrections: Row[]): Row[] {
  const corrected = new Set(corrections.map(({ text }) => text));
  return [...rows.filter(({ text }) => !corrected.has(text)), ...corrections];
}

const rowsDir = join(trainingDir, 'rows');

/**
 * The rows that we wrote, in the order of `rows/order.txt`, of which the bytes of the model depend: each line there takes
 * the next piece of that file, which ends at a line `---`. A file with a piece that is taken nowhere is an error.
 */
export function readOwnRows(): Row[] {
  const pieces = new Map(listRowFiles().map((name) => [name, readText(name).split('\n---\n')]));
  const rows = readText('order.txt')
    .split('\n')
    .filter((name) => name !== '')
    .flatMap((name) => {
      const piece = pieces.get(name)?.shift();
      if (piece === undefined) throw new Error(`order.txt names ${name} once too often`);
      return parseWritten(piece, 'written');
    });
  for (const [name, left] of pieces)
    if (left.length > 0) throw new Error(`order.txt leaves out ${left.length} pieces of ${name}`);
  return rows;
}

/** Every `<language>/<theme>.txt` of `training/rows`. */
function listRowFiles(): string[] {
  return readdirSync(rowsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(rowsDir, name)).map((file) => `${name}/${file}`));
}

const readText = (name: string) => readFileSync(join(rowsDir, name), 'utf8');

/** A set that is only ever measured: `heldout.jsonl` or `adversarial.jsonl`. */
export function readMeasured(name: string): Row[] {
  return readRows(join(trainingDir, name));
}

/** The rows that do not say the same, word for word, as one of the others: what is measured is never trained on. */
export function withoutRepeats(rows: Row[], others: Row[]): Row[] {
  const known = new Set(others.map(({ text }) => wordsOf(text)));
  return rows.filter(({ text }) => !known.has(wordsOf(text)));
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Rows as JSON, one a line. */
function readRows(file: string): Row[] {
  return readLines(file).map((line, index) => {
    const row = line as Row; // safe because label and text are checked
    if (!intents.includes(row.label))
      throw new Error(`${file}:${index + 1}: no intent is called ${row.label}`);
    if (typeof row.text !== 'string') throw new Error(`${file}:${index + 1}: the text is missing`);
    return row;
  });
}

/** Rows as text: a line `# label` and then one prompt a line, in which `\n` stands for a line break. */
export function parseWritten(text: string, source: string): Row[] {
  let label: Intent | undefined;
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (/^# \w+$/.test(line)) {
      label = intents.find((intent) => intent === line.slice(2));
      if (!label) throw new Error(`"${line}" names no intent`);
    } else if (label)
      rows.push({ text: line.replaceAll('\\n', '\n').replaceAll('\\t', '\t'), label, source });
  }
  return rows;
}

function readLines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
