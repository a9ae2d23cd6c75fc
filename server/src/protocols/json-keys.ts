import { decodeKey, stringEnd } from './json-object.ts';

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * The first key that any object of a valid JSON text names twice, in whatever escaping, or `null`. Parsers differ in
 * which of the two they take, so that what was checked need not be what a provider reads.
 */
export function findDoubledKey(bytes: Buffer): string | null {
  /** The keys so far of each object that is open; `null` for an array. */
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position];
    if (byte === quote) {
      const end = stringEnd(bytes, position);
      const keys = isKeyNext ? open.at(-1) : null;
      if (keys) {
        const key = decodeKey(bytes, position, end);
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKeyNext = false;
      position = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      isKeyNext = byte === openBrace;
      open.push(isKeyNext ? new Set() : null);
    } else if (byte === closeBrace || byte === closeBracket) {
      open.pop();
    } else if (byte === comma) {
      isKeyNext = open.at(-1) != null;
    }
  }
  return null;
}
