import type { Steps } from '../steps.ts';

/** A field of an object inside a JSON text: `keyStart` is its opening quote, `valueEnd` is past its value. */
export interface FieldSpan {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Where the fields of one object lie; offsets count bytes of the whole text. */
export interface ObjectSpan {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly FieldSpan[];
}

/** What a text of JSON may hold, so that its bytes bound what it costs to parse. */
export interface JsonLimits {
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** Lists and objects in all. */
  readonly containers: number;
  /** Fields of all objects. */
  readonly members: number;
  /** Fields of the outermost object. */
  readonly fields: number;
  /** Whatever stands in a list or in a field. */
  readonly values: number;
  readonly numberBytes: number;
}

/** What a scan has counted. */
export interface JsonCounts {
  readonly containers: number;
  readonly members: number;
  readonly values: number;
  readonly deepest: number;
  /** Of the longest number or word, in bytes. */
  readonly longestNumber: number;
}

export type JsonScan =
  | { readonly ok: true; readonly span: ObjectSpan; readonly counts: JsonCounts }
  /** `excess` completes a sentence that begins with "The body". */
  | { readonly ok: false; readonly excess: string };

const stepBytes = 64 * 1024;
const microsPerByte = 0.006;

/**
 * Walks once over the bytes of one JSON value, decodes nothing but the keys of the outermost object, and stops soon
 * after a limit is exceeded. Of a text that is not valid JSON it counts what stands before the fault.
 */
export function* scanJson(bytes: Buffer, limits: JsonLimits): Steps<JsonScan> {
  const scanner = new JsonScanner(bytes, 0);
  while (!scanner.isOver) {
    yield Math.min(stepBytes, bytes.length - scanner.position) * microsPerByte;
    scanner.advance(scanner.position + stepBytes);
    const excess = findExcess(scanner, limits);
    if (excess !== null) return { ok: false, excess };
  }
  return { ok: true, span: scanner.span, counts: scanner };
}

/** Finds the fields of the object that begins at `from`, in a text that has been parsed. */
export function scanObject(bytes: Buffer, from = 0): ObjectSpan {
  const scanner = new JsonScanner(bytes, from);
  scanner.advance(bytes.length);
  return scanner.span;
}

function findExcess(scanner: JsonScanner, limits: JsonLimits): string | null {
  const { deepest, containers, members, values, longestNumber, span } = scanner;
  if (deepest > limits.depth) return `nests deeper than ${limits.depth} levels`;
  if (containers > limits.containers) return `holds more than ${limits.containers} lists and objects`;
  if (members > limits.members) return `holds more than ${limits.members} fields in all its objects`;
  if (values > limits.values) return `holds more than ${limits.values} values`;
  if (span.fields.length > limits.fields) return `has more than ${limits.fields} fields`;
  if (longestNumber > limits.numberBytes)
    return `holds a number of more than ${limits.numberBytes} characters`;
  return null;
}

/** What a byte outside of strings stands for; what is none of the others belongs to a number or a word. */
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

  get span(): ObjectSpan {
    return { start: this.#start, end: this.position, fields: this.#fields };
  }

  /** Goes on to `end` or a little further, to the end of a word or a string. */
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
        // A step may end inside of a word.
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
      // Its first value, where it has one.
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

/** The end of a run of bytes of one kind, white space or a word, as far as `stop`. */
function findRunEnd(bytes: Buffer, start: number, stop: number): number {
  const kind = kinds[bytes[start] ?? 0];
  let end = start + 1;
  while (end < stop && kinds[bytes[end] ?? 0] === kind) end++;
  return end;
}

// Short strings are walked, long ones searched: a search costs a call into native code but then runs at memory speed.
// After each quote that was escaped the walk is longer, so that a string of nothing else is not a search for each.
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

/** Whether an odd number of backslashes stands before it; what stands before `from` has been read. */
function isEscaped(bytes: Buffer, end: number, from: number): boolean {
  let start = end;
  while (start > from && bytes[start - 1] === backslash) start--;
  return (end - start) % 2 === 1;
}

function decodeKey(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? readEscapes(text) : text.slice(1, -1);
}

function readEscapes(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    // What is no key makes the whole text invalid, and its parser says so.
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
