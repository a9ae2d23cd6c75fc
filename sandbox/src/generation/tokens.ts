const tokenPattern = /\s*(?:[\p{L}\p{M}\p{N}_]+|\S)|\s+$/gu;

/**
 * The sandbox's own rule: a word (letters, marks, digits, underscores) or one other visible character is one token,
 * which carries the white space before it; white space at the very end is a token. Joined again they are the text.
 */
export function splitTokens(text: string): string[] {
  return text.match(tokenPattern) ?? [];
}

export function countTokens(text: string): number {
  return splitTokens(text).length;
}
