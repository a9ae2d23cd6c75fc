import { expect, it } from 'vitest';
import { findOddPhrases } from '../../../scripts/odd-prose.ts';

const phrasesIn = (file: string, text: string) => findOddPhrases(file, text).map(({ phrase }) => phrase);

it.each([
  ['// Who looks.', 'Who'],
  ['/** What is counted. */', 'What'],
  ['/** Whoever waits is told. */', 'Whoever'],
  ['/** So many requests are begun in a turn. */', 'So many'],
  ['// Of a row about oneself.', 'Of a'],
  ['// But not twice.', 'But'],
  ['/** Hears the value. */', 'Hears'],
  ['/** Reads the list anew. */', 'anew'],
  ['// A flag that stands for nothing.', 'stands for'],
  ['// The key of nobody.', 'of nobody'],
  ['// It goes on with the next.', 'goes on'],
  ['const a = 1; // It is none of them.', 'is none'],
  ['/** The cap; `null` if there is none. */', 'is none'],
  ['const a = (/* beside the list */ 1);', 'beside'],
])('findOddPhrases finds the phrase in the comment %s', (comment, phrase) => {
  expect(phrasesIn('server/src/a.ts', `${comment}\nexport const b = 1;\n`)).toContain(phrase);
});

it.each([
  ["it('but not for others', () => undefined);", 'but'],
  ["it.each([1])('of %s is refused', () => undefined);", 'of'],
  ["describe('what is asked', () => undefined);", 'what'],
  ['test(`who is here`, () => undefined);', 'who'],
])('findOddPhrases finds the phrase in the test title %s', (call, phrase) => {
  expect(phrasesIn('a.test.ts', call).map((found) => found.toLowerCase())).toContain(phrase);
});

it.each([
  ['a.css', '.a {\n  /* Also beside the list. */\n  color: red;\n}\n', 'beside'],
  ['a.css', "\n/* The system's colours. */\n", 'colours'],
  ['index.html', '<p>\n<!-- What this browser chose. --></p>\n', 'What'],
])('findOddPhrases finds the phrase in a comment of %s: %j', (file, text, phrase) => {
  expect(findOddPhrases(file, text)).toMatchObject([{ line: 2, phrase }]);
});

it('findOddPhrases reads the prose of documents, without code', () => {
  const text = 'Fixed anew.\n\n```\nanew\n```\n\nThe option `anew` is a name.\n';
  expect(findOddPhrases('docs/A.md', text)).toEqual([{ line: 1, phrase: 'anew', advice: 'again' }]);
});

it.each([
  ['a sentence about the thing', '/** Returns the users of a tenant; `null` if it has no users. */'],
  ['a question', '// What if the server is away?'],
  ['code in backticks', '/** Calls `anew`. */'],
  ['a string', "const text = 'anew';"],
  ['a quantity', '/** How many times a request may lose the race for a lease. */'],
])('findOddPhrases accepts %s', (_, text) => {
  expect(phrasesIn('server/src/a.ts', `${text}\nexport const b = 1;\n`)).toEqual([]);
});
