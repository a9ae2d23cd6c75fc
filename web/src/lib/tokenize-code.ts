import { parse, type TokenType } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';

/** The concatenated parts equal the text. */
export interface CodeToken {
  readonly type: TokenType;
  readonly value: string;
}

/**
 * Maximum length in characters of code with syntax colors. Tokenizing CSS may take quadratic time and would block the
 * page.
 */
const codeMax = 10_000;
const cssMax = 3_000;

/** Splits code for syntax colors. Returns `null` for unknown languages and long code. */
export function tokenizeCode(text: string, language: string): readonly CodeToken[] | null {
  const id = lang(language);
  const known = languages.find((one) => one.id === id);
  if (!known || known.id === 'plaintext' || text.length > (id === 'css' ? cssMax : codeMax)) return null;
  const tokens = parse(text, known.config).lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [lineBreak]),
    ...line.tokens.filter(({ type }) => type !== 'break'),
  ]);
  // Falls back to code without colors if the library loses a character.
  return tokens.map(({ value }) => value).join('') === text ? tokens : null;
}

const lineBreak: CodeToken = { type: 'break', value: '\n' };
