import { parse, type TokenType } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';

/** Part of a code text; joined, the parts are the text. */
export interface CodeToken {
  readonly type: TokenType;
  readonly value: string;
}

/** Longer code has no colors, so that it does not block the page. Tokenizing CSS may take quadratic time. */
const codeMax = 10_000;
const cssMax = 3_000;

/** Splits code for syntax colors; returns `null` for unknown languages and long code. */
export function tokenizeCode(text: string, language: string): readonly CodeToken[] | null {
  const id = lang(language);
  const known = languages.find((one) => one.id === id);
  if (!known || known.id === 'plaintext' || text.length > (id === 'css' ? cssMax : codeMax)) return null;
  const tokens = parse(text, known.config).lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [lineBreak]),
    ...line.tokens.filter(({ type }) => type !== 'break'),
  ]);
  // If the library loses a character, the code is shown without colors.
  return tokens.map(({ value }) => value).join('') === text ? tokens : null;
}

const lineBreak: CodeToken = { type: 'break', value: '\n' };
