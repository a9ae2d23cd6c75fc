import { finish } from '#platform/steps.ts';
import { type JsonLimits, scanJson } from './json-scan.ts';

declare global {
  // Supported by the engine, but missing from TypeScript's standard library.
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
 * Parses like `JSON.parse`, but `JSON.stringify` writes numbers that a double cannot represent, such as long ids,
 * with all their digits.
 */
export function parseExactly(text: string): unknown {
  return hasLongNumber(text) ? parseWithDigits(text) : JSON.parse(text);
}

/** Parses like `parseExactly`, but throws a RangeError if the text exceeds the limits. */
export function parseWithin(text: string, limits: JsonLimits): unknown {
  const scan = finish(scanJson(Buffer.from(text), limits));
  if (!scan.ok) throw new RangeError(`The text ${scan.excess}.`);
  return scan.counts.longestNumber >= longNumberBytes ? parseWithDigits(text) : JSON.parse(text);
}

function parseWithDigits(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source)
      ? JSON.rawJSON(source)
      : value,
  );
}

/** True for numbers that a double cannot represent. */
export function isLongNumber(value: unknown): value is object {
  return JSON.isRawJSON(value);
}

/** Minimum length of a number that a double may not represent. A double represents all numbers of 15 digits. */
export const longNumberBytes = 16;

function hasLongNumber(text: string): boolean {
  return /[0-9.]{16}/.test(text);
}

function isExact(value: number, source: string): boolean {
  return source.length < 16 || String(value) === source;
}
