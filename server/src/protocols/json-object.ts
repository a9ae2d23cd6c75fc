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

export const nestingMax = 200;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Finds the fields of the object that begins at `from`, without decoding anything but their keys; `null` when it
 * nests deeper than `nestingMax`. Of a text that is not valid JSON it answers nonsense or throws.
 */
export function scanObject(bytes: Buffer, from = 0): ObjectSpan | null {
  const start = bytes.indexOf(openBrace, from);
  const fields: FieldSpan[] = [];
  let depth = 1;
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;
  let position = start + 1;
  const closeField = (end: number) => {
    if (valueStart !== -1)
      fields.push({
        key: decodeKey(bytes, keyStart, keyEnd),
        keyStart,
        valueStart,
        valueEnd: trimEnd(bytes, end),
      });
    keyStart = -1;
    valueStart = -1;
  };
  for (; depth > 0; position++) {
    const byte = bytes[position];
    if (byte === quote) {
      const end = stringEnd(bytes, position);
      if (depth === 1 && keyStart === -1) {
        keyStart = position;
        keyEnd = end;
      }
      position = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > nestingMax) return null;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (--depth === 0) closeField(position);
    } else if (depth === 1 && byte === colon) {
      valueStart = skipBlank(bytes, position + 1);
    } else if (depth === 1 && byte === comma) {
      closeField(position);
    } else if (byte === undefined) {
      throw new RangeError('scanObject was given a text that is not valid JSON');
    }
  }
  return { start, end: position, fields };
}

/** The first key that an object names twice, in whatever escaping, or `null`. */
export function findDuplicateKey(object: ObjectSpan): string | null {
  const seen = new Set<string>();
  for (const { key } of object.fields) {
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return null;
}

/** What becomes of a field: new JSON text, or `null` to drop it. Keys the object lacks are added. */
export type FieldEdits = ReadonlyMap<string, Buffer | string | null>;

/**
 * The object with some fields replaced, dropped or added; all others keep their bytes.
 * Only additions: the original bytes with an insertion after the opening brace.
 */
export function editObject(bytes: Buffer, object: ObjectSpan, edits: FieldEdits): Buffer {
  const present = new Set(object.fields.map(({ key }) => key));
  const added = [...edits].filter(([key, value]) => value !== null && !present.has(key));
  const isUntouched = object.fields.every(({ key }) => !edits.has(key));
  const additions = added.map(([key, value]) => encodeField(key, value ?? 'null'));
  if (isUntouched && additions.length === 0) return bytes.subarray(object.start, object.end);
  if (isUntouched) return insertFields(bytes, object, additions);
  const kept = object.fields.flatMap((field) => {
    const edit = edits.get(field.key);
    if (edit === null) return [];
    return [
      edit === undefined ? bytes.subarray(field.keyStart, field.valueEnd) : encodeField(field.key, edit),
    ];
  });
  return joinFields([...additions, ...kept]);
}

function insertFields(bytes: Buffer, object: ObjectSpan, additions: readonly Buffer[]): Buffer {
  const rest = bytes.subarray(object.start + 1, object.end);
  const separator = object.fields.length === 0 ? '' : ',';
  return Buffer.concat([joinFields(additions).subarray(0, -1), Buffer.from(separator), rest]);
}

function joinFields(fields: readonly Buffer[]): Buffer {
  const separator = Buffer.from(',');
  const parts = fields.flatMap((field, index) => (index === 0 ? [field] : [separator, field]));
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')]);
}

function encodeField(key: string, value: Buffer | string): Buffer {
  const name = `${JSON.stringify(key)}:`;
  return typeof value === 'string' ? Buffer.from(name + value) : Buffer.concat([Buffer.from(name), value]);
}

// Short strings are walked, long ones searched: a search costs a call into native code but then runs at memory speed.
function stringEnd(bytes: Buffer, start: number): number {
  const walkEnd = start + 33;
  let position = start + 1;
  while (position < walkEnd) {
    const byte = bytes[position];
    if (byte === quote) return position + 1;
    position += byte === backslash ? 2 : 1;
  }
  for (;;) {
    const end = bytes.indexOf(quote, position);
    if (end === -1) throw new RangeError('scanObject was given a text that is not valid JSON');
    let slashes = 0;
    while (end - 1 - slashes >= position && bytes[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
    position = end + 1;
  }
}

function decodeKey(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
}

function skipBlank(bytes: Buffer, from: number): number {
  let position = from;
  while (isBlank(bytes[position])) position++;
  return position;
}

function trimEnd(bytes: Buffer, from: number): number {
  let position = from;
  while (isBlank(bytes[position - 1])) position--;
  return position;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
