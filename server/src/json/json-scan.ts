import type { Steps } from '#platform/steps.ts';

/**
 * Field of an object inside a JSON text. `keyStart` is the offset of the key's opening quote, `valueEnd` the offset
 * after the value.
 */
export interface FieldSpan {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface ObjectSpan {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly FieldSpan[];
}

/** Limits of a JSON text, so that its size bounds the cost of parsing it. */
export interface JsonLimits {
  readonly depth: number;
  readonly containers: number;
  readonly members: number;
  readonly fields: number;
  readonly values: number;
  readonly numberBytes: number;
}

export interface JsonCounts {
  readonly containers: number;
  readonly members: number;
  readonly values: number;
  readonly deepest: number;
  /** Length of the longest number or literal, in bytes. */
  readonly longestNumber: number;
}

export type JsonScan =
  | { readonly ok: true; readonly span: ObjectSpan; readonly counts: JsonCounts }
  /** `excess` completes a sentence that starts with "The body". */
  | { readonly ok: false; readonly excess: string };

const stepBytes = 64 * 1024;
export const scanMicrosPerByte = 0.006;

/**
 * Scans the bytes of one JSON value in one pass, decodes only the keys of the outermost object, and stops soon after
 * a limit is exceeded. If the text is invalid, the counts cover the part before the error.
 */
export function* scanJson(bytes: Buffer, limits: JsonLimits): Steps<JsonScan> {
  const scanner = new JsonScanner(bytes, 0);
  while (!scanner.isOver) {
    yield Math.min(stepBytes, bytes.length - scanner.position) * scanMicrosPerByte;
    scanner.advance(scanner.position + stepBytes);
    const excess = findExcess(scanner, limits);
    if (excess !== null) return { ok: false, excess };
  }
  return { ok: true, span: scanner.span, counts: scanner };
}

/** Scans like `scanJson` if the text fits in one step; returns `null` for longer texts. */
export function scanShortJson(bytes: Buffer, limits: JsonLimits): JsonScan | null {
  if (bytes.length > stepBytes) return null;
  const scanner = new JsonScanner(bytes, 0);
  while (!scanner.isOver) scanner.advance(scanner.position + stepBytes);
  const excess = findExcess(scanner, limits);
  return excess === null ? { ok: true, span: scanner.span, counts: scanner } : { ok: false, excess };
}

/** Finds the fields of the object that starts at `from`. The text must have been validated before. */
export function scanObject(bytes: Buffer, from = 0): ObjectSpan {
  const scanner = new JsonScanner(bytes, from);
  scanner.advance(bytes.length);
  return scanner.span;
}

function findExcess(scanner: JsonScanner, limits: JsonLimits): string | null {
  const { deepest, containers, members, values, longestNumber, fieldCount } = scanner;
  if (deepest > limits.depth) return `is nested deeper than ${limits.depth} levels`;
  if (containers > limits.containers) return `contains more than ${limits.containers} arrays and objects`;
  if (members > limits.members) return `contains more than ${limits.members} fields in all its objects`;
  if (values > limits.values) return `contains more than ${limits.values} values`;
  if (fieldCount > limits.fields) return `has more than ${limits.fields} fields`;
  if (longestNumber > limits.numberBytes)
    return `contains a number of more than ${limits.numberBytes} characters`;
  return null;
}

/** Kinds of bytes outside strings; all unlisted bytes belong to numbers or literals. */
const kinds = new Uint8Array(256);
const word = 0;
const blank = 1;
const quote = 2;
const open = 3;
const close = 4;
const comma = 5;
const colon = 6;
const bytesByKind = [
  [blank, ' \t\r\n'],
  [quote, '"'],
  [open, '{['],
  [close, '}]'],
  [comma, ','],
  [colon, ':'],
] as const;
for (const [kind, bytes] of bytesByKind) for (const byte of Buffer.from(bytes)) kinds[byte] = kind;

const openBrace = 0x7b;
const quoteByte = 0x22;
const backslash = 0x5c;

class JsonScanner implements JsonCounts {
  position: number;
  isOver = false;
  containers = 0;
  members = 0;
  values = 0;
  deepest = 0;
  longestNumber = 0;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #isObject: boolean;
  readonly #fields: FieldSpan[] = [];
  #depth = 0;
  #wordLength = 0;
  #keyStart = -1;
  #keyEnd = -1;
  #valueStart = -1;

  constructor(bytes: Buffer, from: number) {
    this.#bytes = bytes;
    this.#start = skipBlank(bytes, from);
    this.#isObject = bytes[this.#start] === openBrace;
    this.position = this.#start;
  }

  get fieldCount(): number {
    return this.#fields.length;
  }

  get span(): ObjectSpan {
    return { start: this.#start, end: this.position, fields: this.#fields };
  }

  /** Scans up to `end`, or slightly further if a literal or string ends later. */
  advance(end: number): void {
    const bytes = this.#bytes;
    let { position } = this;
    const stop = Math.min(end, bytes.length);
    while (position < stop && !this.isOver) {
      const kind = kinds[bytes[position] ?? 0];
      if (kind === quote) {
        const stringEnd = findStringEnd(bytes, position);
        if (this.#depth === 1 && this.#keyStart === -1) {
          this.#keyStart = position;
          this.#keyEnd = stringEnd;
        }
        position = stringEnd;
      } else if (kind === word || kind === blank) {
        const runEnd = findRunEnd(bytes, position, stop);
        // The previous step may have stopped inside this literal.
        this.#wordLength = kind === word ? this.#wordLength + runEnd - position : 0;
        this.longestNumber = Math.max(this.longestNumber, this.#wordLength);
        position = runEnd;
      } else {
        this.#wordLength = 0;
        this.#note(kind, position);
        position++;
      }
    }
    this.position = position;
    if (position >= bytes.length) this.isOver = true;
  }

  #note(kind: number | undefined, position: number): void {
    if (kind === open) {
      this.containers++;
      // Counts the first item or field value, if any. Each comma counts another.
      this.values++;
      this.deepest = Math.max(this.deepest, ++this.#depth);
    } else if (kind === close) {
      if (this.#depth === 1) this.#closeField(position);
      this.isOver = --this.#depth <= 0;
    } else if (kind === comma) {
      this.values++;
      if (this.#depth === 1) this.#closeField(position);
    } else {
      this.members++;
      if (this.#depth === 1) this.#valueStart = position + 1;
    }
  }

  #closeField(end: number): void {
    const bytes = this.#bytes;
    if (this.#isObject && this.#keyStart !== -1 && this.#valueStart !== -1) {
      const keyStart = this.#keyStart;
      const valueStart = skipBlank(bytes, this.#valueStart);
      const key = decodeKey(bytes, keyStart, this.#keyEnd);
      this.#fields.push({ key, keyStart, valueStart, valueEnd: trimEnd(bytes, end) });
    }
    this.#keyStart = -1;
    this.#valueStart = -1;
  }
}

/** Returns the end of a run of bytes of one kind (white space or a literal), limited to `stop`. */
function findRunEnd(bytes: Buffer, start: number, stop: number): number {
  const kind = kinds[bytes[start] ?? 0];
  let end = start + 1;
  while (end < stop && kinds[bytes[end] ?? 0] === kind) end++;
  return end;
}

// Walks short strings and searches long ones: a search needs a native call but runs at memory speed. Each escaped
// quote extends the walk, so a string full of quotes does not cause one search per quote.
function findStringEnd(bytes: Buffer, start: number): number {
  let position = start + 1;
  for (let walk = 32; ; walk *= 2) {
    const walkEnd = Math.min(position + walk, bytes.length);
    while (position < walkEnd) {
      const byte = bytes[position];
      if (byte === quoteByte) return position + 1;
      position += byte === backslash ? 2 : 1;
    }
    const end = bytes.indexOf(quoteByte, position);
    if (end === -1) return bytes.length;
    if (!isEscaped(bytes, end, position)) return end + 1;
    position = end + 1;
  }
}

/** An odd number of backslashes escapes the quote. Bytes before `from` have been processed already. */
function isEscaped(bytes: Buffer, end: number, from: number): boolean {
  let start = end;
  while (start > from && bytes[start - 1] === backslash) start--;
  return (end - start) % 2 === 1;
}

function decodeKey(bytes: Buffer, start: number, end: number): string {
  const key = bytes.toString('utf8', start + 1, end - 1);
  return key.includes('\\') ? readEscapes(bytes.toString('utf8', start, end)) : key;
}

function readEscapes(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    // An invalid key makes the whole text invalid, which the parser reports.
    return text;
  }
}

function skipBlank(bytes: Buffer, from: number): number {
  let position = from;
  while (position < bytes.length && kinds[bytes[position] ?? 0] === blank) position++;
  return position;
}

function trimEnd(bytes: Buffer, from: number): number {
  let position = from;
  while (kinds[bytes[position - 1] ?? 0] === blank) position--;
  return position;
}
