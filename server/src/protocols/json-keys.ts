const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const backslash = 0x5c;

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

/** Where a string ends that opens at `start`: past its closing quote. */
function stringEnd(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(quote, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end === -1 ? bytes.length : end + 1;
}

function isEscaped(bytes: Buffer, position: number): boolean {
  let slashes = 0;
  while (bytes[position - 1 - slashes] === backslash) slashes++;
  return slashes % 2 === 1;
}

function decodeKey(bytes: Buffer, start: number, end: number): string {
  return String(JSON.parse(bytes.toString('utf8', start, end)));
}
