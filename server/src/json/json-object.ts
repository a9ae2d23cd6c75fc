import type { ObjectSpan } from './json-scan.ts';

/** Returns the first key that occurs twice in an object, however it is escaped, or `null` if all keys differ. */
export function findDuplicateKey(object: ObjectSpan): string | null {
  const { fields } = object;
  if (fields.length > fewFields) return findDuplicate(fields.map(({ key }) => key));
  for (let index = 1; index < fields.length; index++) {
    const key = fields[index]?.key ?? null;
    for (let before = 0; before < index; before++) if (fields[before]?.key === key) return key;
  }
  return null;
}

/** Up to this number of fields, comparing all keys needs less memory than a set. */
const fewFields = 12;

function findDuplicate(keys: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return null;
}

/** New JSON text per field; `null` removes the field. Missing fields are added. */
export type FieldEdits = ReadonlyMap<string, Buffer | string | null>;

/** Unchanged fields keep their bytes. New fields are inserted after the opening brace. */
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
