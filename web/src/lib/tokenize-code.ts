import { parse, type TokenType } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';

/** A piece of code; together the pieces are the code. */
export interface CodeToken {
  readonly type: TokenType;
  readonly value: string;
}

/** Longer code is shown plain, so that no answer holds the page. CSS may take time that grows with the square. */
const codeMax = 10_000;
const cssMax = 3_000;

/** Reads code for its colours; `null` in a language that is not known, and for code that is too long. */
export function tokenizeCode(text: string, language: string): readonly CodeToken[] | null {
  const id = lang(language);
  const known = languages.find((one) => one.id === id);
  if (!known || known.id === 'plaintext' || text.length > (id === 'css' ? cssMax : codeMax)) return null;
  const tokens = parse(text, known.config).lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [lineBreak]),
    ...line.tokens.filter(({ type }) => type !== 'break'),
  ]);
  // Should the library lose a character, the code matters more than its colours.
  return tokens.map(({ value }) => value).join('') === text ? tokens : null;
}

const lineBreak: CodeToken = { type: 'break', value: '\n' };
