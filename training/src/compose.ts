import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intents } from '../../server/src/intent/model.ts';
import { createRandom } from './random.ts';
import { parseWritten, type Row } from './rows.ts';

const trainingDir = join(import.meta.dirname, '..');
const rowsPerFrame = 14;
const rowsPerForeignFrame = 5;

type Lists = (slot: string) => string[];
type Pick = <Item>(items: Item[]) => Item;

/**
 * Combines templates ("Write a poem about {any}") with lists of topics. Every topic occurs with every intent, so that
 * the model learns the request and not the topic.
 */
export function composeRows(): Row[] {
  const random = createRandom(11);
  const pick: Pick = (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  };
  const rows: Row[] = [];
  const english = ['english', 'everyday'].map((name) => readText(`frames/${name}.txt`)).join('\n');
  for (const { text: frame, label } of parseWritten(english, 'framed')) {
    const count = frame.includes('{') ? rowsPerFrame : 1;
    for (let round = 0; round < count; round++) {
      const text = fill(frame, readList, pick);
      rows.push({ text: dress(text, random, pick), label, source: 'framed' });
    }
  }
  for (const { text: line, label } of parseWritten(readText('frames/languages.txt'), 'framed')) {
    const [language = '', frames = ''] = splitOnce(line, ': ');
    const lists: Lists = (slot) => readNouns(slot, language) ?? readList(slot);
    for (const frame of frames.split('|')) {
      for (let round = 0; round < rowsPerForeignFrame; round++) {
        rows.push({ text: fill(frame, lists, pick), label, source: 'framed' });
      }
    }
  }
  return rows;
}

function fill(frame: string, lists: Lists, pick: Pick): string {
  return frame.replace(/\{(\w+)\}/g, (_, slot: string) => {
    if (slot === 'any')
      return fill(pick(['{thing}', '{thing}', '{knowledge}', '{matter}', '{part}', 'a {app}']), lists, pick);
    if (slot === 'app') return `${pick(lists('domain'))} ${pick(lists('component'))}`;
    if (slot === 'part') return pick([pick(lists('part')), `the ${fill('{app}', lists, pick)}`]);
    return pick(lists(slot === 'task' ? 'code-task' : slot));
  });
}

function dress(text: string, random: () => number, pick: Pick): string {
  let dressed = text;
  if (random() < 0.12) dressed = `${pick(readList('openings'))} ${dressed}`;
  if (random() < 0.12) dressed = `${dressed}${pick([' ', '\n', '. '])}${pick(readList('closings'))}`;
  if (random() < 0.06) dressed = `${lure(pick)} ${dressed}`;
  if (random() < 0.02) dressed = `${dressed} ${lure(pick)}`;
  if (random() < 0.03)
    dressed = `${pick(readList(pick(['code', 'log', 'prose'])))}\n\n${pick(readList('aside'))} ${dressed}`;
  if (random() < 0.3) dressed = dressed.toLowerCase();
  return random() < 0.08 ? misspell(dressed, random) : dressed;
}

function lure(pick: Pick): string {
  return pick(readList('lures')).replace('{label}', pick([...intents]));
}

function misspell(text: string, random: () => number): string {
  const place = 1 + Math.floor(random() * Math.min(60, text.length - 2));
  const swapped = `${text.charAt(place + 1)}${text.charAt(place)}`;
  return text.slice(0, place) + swapped + text.slice(place + 2);
}

const lists = new Map<string, string[]>();
const framesLists = ['openings', 'closings', 'lures'];

function readList(name: string): string[] {
  const known = lists.get(name);
  if (known) return known;
  const file = framesLists.includes(name) ? `frames/${name}.txt` : `topics/${name}.txt`;
  const items = readText(file)
    .split('\n')
    .filter((line) => line !== '')
    .map(unescapeLine);
  lists.set(name, items);
  return items;
}

function readNouns(slot: string, language: string): string[] | undefined {
  if (!['knowledge', 'thing', 'work'].includes(slot)) return undefined;
  const line = readText(`frames/nouns/${slot}.txt`)
    .split('\n')
    .find((one) => one.startsWith(`${language}: `));
  return line?.slice(language.length + 2).split('|');
}

function readText(file: string): string {
  return readFileSync(join(trainingDir, file), 'utf8');
}

function splitOnce(line: string, separator: string): [string, string] {
  const place = line.indexOf(separator);
  return [line.slice(0, place), line.slice(place + separator.length)];
}

function unescapeLine(line: string): string {
  return line.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}
