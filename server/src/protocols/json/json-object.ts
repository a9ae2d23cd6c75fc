import type { ObjectSpan } from './json-scan.ts';

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
