import { Lexer } from 'yaml';

export const bytesMax = 10 * 1024 * 1024;
export const objectsMax = 20_000;
export const filesMax = 200;

/** Maximum nesting, deeper than any field of the schema. */
const depthMax = 32;

const openings = new Set(['{', '[']);
const closings = new Set(['}', ']']);
const tooDeep = `The file is nested more than ${depthMax} levels deep`;

/**
 * Returns the first position where a text exceeds the nesting limit, or `null`. Runs before a recursive parser reads
 * the text.
 */
export function findExcess(text: string): { line: number; column: number; message: string } | null {
  let [line, depth, markers] = [1, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (openings.has(token)) depth++;
    else if (closings.has(token)) depth = Math.max(0, depth - 1);
    else if (token === '-' || token === '?') markers++;
    const breaks = token.split('\n').length - 1;
    if (breaks > 0) markers = 0;
    if (/^ +$/.test(token) && markers === 0 && token.length > depthMax * 8)
      return { line, column: 1, message: tooDeep };
    if (depth > depthMax || markers > depthMax) return { line, column: 1, message: tooDeep };
    line += breaks;
  }
  return null;
}
