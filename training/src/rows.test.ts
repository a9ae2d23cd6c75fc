import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { applyCorrections, parseWritten, readCorrections, readOwnRows, withoutRepeats } from './rows.ts';

function writeLines(...lines: unknown[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-corrections-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'corrections.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

test('applyCorrections replaces all labels of a corrected prompt with the new one', () => {
  const text = 'Why does my bread not rise?';
  const corrections = readCorrections(writeLines({ text, label: 'off_topic' }));
  const rows = applyCorrections(
    [
      { text, label: 'research', source: 'pool' },
      { text: 'Why is the sky blue?', label: 'research', source: 'pool' },
    ],
    corrections,
  );
  expect(rows).toEqual([
    { text: 'Why is the sky blue?', label: 'research', source: 'pool' },
    { text, label: 'off_topic', source: 'correction' },
  ]);
});

test.each([
  ['an unknown label', { text: 'hello', label: 'small_talk' }],
  ['no text', { label: 'coding' }],
])('readCorrections rejects a correction with %s and reports file and line', (_, wrong) => {
  const file = writeLines({ text: 'hi', label: 'off_topic' }, wrong);
  expect(() => readCorrections(file)).toThrow(`${file}:2`);
});

test('parseWritten reads the label from a heading and \\n as a line break', () => {
  expect(parseWritten('# coding\nfix this:\\n{}\n\n# other\ntranslate it\n', 'written')).toEqual([
    { text: 'fix this:\n{}', label: 'coding', source: 'written' },
    { text: 'translate it', label: 'other', source: 'written' },
  ]);
});

test('withoutRepeats removes rows that equal a measured one, ignoring case and punctuation', () => {
  const row = (text: string) => ({ text, label: 'off_topic' as const, source: 'written' });
  expect(withoutRepeats([row('tell me a JOKE!'), row('tell me two jokes')], [row('Tell me a joke')])).toEqual(
    [row('tell me two jokes')],
  );
});

test('readOwnRows returns every prompt of every file once, in the order of order.txt', () => {
  const lines = globSync(join(import.meta.dirname, '../rows/*/*.txt')).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '' && line !== '---' && !/^# \w+$/.test(line)),
  );
  const rows = readOwnRows();
  expect(rows.length).toBeGreaterThan(40_000);
  expect(rows.map(({ text }) => text).toSorted()).toEqual(
    lines.map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t')).toSorted(),
  );
});
