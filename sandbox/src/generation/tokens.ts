const tokenPattern = /\s*(?:[\p{L}\p{M}\p{N}_]+|\S)|\s+$/gu;

/**
 * Splits a text into tokens: a word (letters, marks, digits, underscores) or one other visible character, with the
 * white space before it. White space at the end is a token. Joined, they are the text.
 */
export function splitTokens(text: string): string[] {
  return text.match(tokenPattern) ?? [];
}

export function countTokens(text: string): number {
  return splitTokens(text).length;
}
