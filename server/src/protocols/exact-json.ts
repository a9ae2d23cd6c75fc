declare global {
  // Built into the engine, but not yet into the compiler's library.
  interface JSON {
    rawJSON(text: string): object;
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
  if (!longNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source)
      ? JSON.rawJSON(source)
      : value,
  );
}

// A double holds any 15 digits: shorter numbers need no second look.
const longNumber = /[0-9.]{16}/;

function isExact(value: number, source: string): boolean {
  return source.length < 16 || String(value) === source;
}
