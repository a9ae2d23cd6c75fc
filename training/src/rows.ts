import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Intent, intents } from '../../server/src/intent/model.ts';

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

/**
 * Returns the pool of public data with the project's corrections: wrong labels are replaced, and ambiguous rows are
 * removed.
 */
export function readPool(file: string): Row[] {
  const corrections = new Map<string, PoolCorrection['label']>();
  for (const correction of readLines(join(trainingDir, 'corrections.jsonl'))) {
    const { source, text, label } = correction as PoolCorrection; // safe because the file is part of the repository and tested
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

/** Reads rows with labels corrected by administrators from JSON lines in the form `{text, label}`. */
export function readCorrections(file: string): Row[] {
  return readRows(file).map(({ text, label }) => ({ text, label, source: 'correction' }));
}

/** Returns all rows. A row whose text was corrected is replaced by the correction. */
export function applyCorrections(rows: Row[], corrections: Row[]): Row[] {
  const corrected = new Set(corrections.map(({ text }) => text));
  return [...rows.filter(({ text }) => !corrected.has(text)), ...corrections];
}

const rowsDir = join(trainingDir, 'rows');

/**
 * Returns the project's own rows in the order of `rows/order.txt`. The bytes of the model depend on the order. Each
 * line of the file names a row file and consumes its next section, up to a line `---`.
 * @throws Error if a section is not consumed.
 */
export function readOwnRows(): Row[] {
  const pieces = new Map(listRowFiles().map((name) => [name, readText(name).split('\n---\n')]));
  const rows = readText('order.txt')
    .split('\n')
    .filter((name) => name !== '')
    .flatMap((name) => {
      const piece = pieces.get(name)?.shift();
      if (piece === undefined)
        throw new Error(`order.txt lists ${name} more often than the file has sections`);
      return parseWritten(piece, 'written');
    });
  for (const [name, left] of pieces)
    if (left.length > 0) throw new Error(`order.txt omits ${left.length} sections of ${name}`);
  return rows;
}

function listRowFiles(): string[] {
  return readdirSync(rowsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(rowsDir, name)).map((file) => `${name}/${file}`));
}

const readText = (name: string) => readFileSync(join(rowsDir, name), 'utf8');

/** Returns a set that is used only for measuring: `heldout.jsonl` or `adversarial.jsonl`. */
export function readMeasured(name: string): Row[] {
  return readRows(join(trainingDir, name));
}

/**
 * Returns the rows whose words differ from the words of all rows in `others`, so that measured rows are never used
 * for training.
 */
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

function readRows(file: string): Row[] {
  return readLines(file).map((line, index) => {
    const row = line as Row; // safe because label and text are checked
    if (!intents.includes(row.label)) throw new Error(`${file}:${index + 1}: unknown intent ${row.label}`);
    if (typeof row.text !== 'string') throw new Error(`${file}:${index + 1}: the text is missing`);
    return row;
  });
}

/** Parses rows from text: a line `# label`, then one prompt per line. `\n` in a prompt is a line break. */
export function parseWritten(text: string, source: string): Row[] {
  let label: Intent | undefined;
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (/^# \w+$/.test(line)) {
      label = intents.find((intent) => intent === line.slice(2));
      if (!label) throw new Error(`"${line}" is not a known intent`);
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
