import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

const isFormatter = (file: string) => /^lib[\\/](format-[a-z]+|time-zone)\.ts$/.test(file);

const formatting = {
  'toFixed, toPrecision or toLocaleString':
    /\.(toFixed|toPrecision|toExponential|toLocale(Date|Time)?String)\b/,
  'an Intl format': /\bIntl\.(?!Collator|supportedValuesOf|Segmenter)\w+/,
  'a dollar sign before a value': /\$\$\{|>\$\{|'\$' ?\+/,
  'a space before a percent sign': /\} %/,
  'a compact number': /\}[KM]`/,
};

describe('formatting of values', () => {
  it('the check covers every source file of the console', () => {
    expect(files.filter(isFormatter).length).toBeGreaterThanOrEqual(6);
    expect(files.length).toBeGreaterThan(400);
  });

  it.each(Object.entries(formatting))('%s is used only in the formatters', (_, pattern) => {
    const found = files
      .filter((file) => !isFormatter(file))
      .flatMap((file) =>
        readFileSync(path.join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });

  it('server messages are displayed with instants in the time zone of the user', () => {
    const message = /\b(error_message|last_error)\b(?! [!=]== null)/;
    const isShown = (line: string) => message.test(line) && !/^(const|export|.*=>$)/.test(line.trim());
    const shown = files
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n').filter(isShown));
    expect(shown.length).toBeGreaterThanOrEqual(6);
    expect(shown.filter((line) => !line.includes('localizeInstants('))).toEqual([]);
  });

  it('formatter names are defined in no other file', () => {
    const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
    const names = files
      .filter(isFormatter)
      .flatMap((file) =>
        [...textOf(file).matchAll(/export (?:function|const) (\w+)/g)].map(([, name]) => name),
      );
    expect(names.length).toBeGreaterThan(30);
    const again = new RegExp(`(?:function|const) (?:${names.join('|')})\\b`);
    expect(files.filter((file) => !isFormatter(file) && again.test(textOf(file)))).toEqual([]);
  });
});
