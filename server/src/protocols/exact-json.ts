declare global {
  // Built into the engine, but not yet into the compiler's library.
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): value is object;
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * Parses JSON that is only to be written again: numbers that a double cannot hold, such as long ids, keep their digits
 * through `JSON.stringify`. Throws as `JSON.parse` does.
 */
export function parseExactly(text: string): unknown {
  if (!hasLongNumber(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source)
      ? JSON.rawJSON(source)
      : value,
  );
}

/** Whether it stands for a number that a double cannot hold. */
export function isLongNumber(value: unknown): value is object {
  return JSON.isRawJSON(value);
}

/** Whether there may be a number that a double cannot hold; it holds any of 15 digits. */
function hasLongNumber(text: string): boolean {
  return /[0-9.]{16}/.test(text);
}

function isExact(value: number, source: string): boolean {
  return source.length < 16 || String(value) === source;
}
