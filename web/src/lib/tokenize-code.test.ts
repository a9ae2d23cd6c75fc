import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tokenizeCode } from './tokenize-code.ts';

const typesOf = (text: string, language: string) =>
  Object.fromEntries((tokenizeCode(text, language) ?? []).map(({ type, value }) => [value, type]));

it.each([
  ['ts', 'const a = "b"; // c', { const: 'keyword', b: 'string', '// c': 'comment' }],
  ['python', 'def f():\n  return "x" # y', { def: 'keyword', return: 'keyword', '# y': 'comment' }],
  ['bash', 'echo "x" # y', { '# y': 'comment' }],
  ['sql', "SELECT a FROM b WHERE c = 'd'", { SELECT: 'keyword', FROM: 'keyword' }],
  ['json', '{"a": "b"}', { '"a"': 'property', '"b"': 'string' }],
  ['go', 'func main() { return }', { func: 'keyword', return: 'keyword' }],
  ['rust', 'fn main() { let x = 1; }', { fn: 'keyword', let: 'keyword' }],
])('tokenizeCode tokenizes %s', (language, text, types) => {
  expect(typesOf(text, language)).toMatchObject(types);
});

it('tokenizeCode returns null for unknown languages and long texts', () => {
  expect(tokenizeCode('x', 'brainfuck')).toBeNull();
  expect(tokenizeCode('x', '')).toBeNull();
  expect(tokenizeCode('x', 'constructor')).toBeNull();
  expect(tokenizeCode('let x\n'.repeat(6_000), 'ts')).toBeNull();
});

const languages = ['ts', 'tsx', 'js', 'css', 'html', 'py', 'sh', 'sql', 'yaml', 'md', 'lua', 'rb', 'diff'];

it('tokenizeCode keeps every character of any code', () => {
  const code = fc.string({ unit: fc.constantFrom(...'$`(){}<>/*#"\'\\\n\t =a1é—[]-'.split('')) });
  fc.assert(
    fc.property(code, fc.constantFrom(...languages), (text, language) => {
      const tokens = tokenizeCode(text, language);
      if (tokens) expect(tokens.map(({ value }) => value).join('')).toBe(text);
    }),
  );
});

it.each(languages)('tokenizeCode processes hostile %s code within two seconds of CPU time', (language) => {
  const length = language === 'css' ? 3_000 : 10_000;
  for (const piece of [
    '/*',
    '"',
    '<a ',
    '\\',
    '(',
    '//',
    '--',
    '[[',
    '\n',
    '#',
    "'",
    ' ',
    '</',
    '<?php ',
    'a',
  ]) {
    const before = process.cpuUsage();
    tokenizeCode(piece.repeat(length / piece.length), language);
    expect(process.cpuUsage(before).user, piece).toBeLessThan(2_000_000);
  }
});
