/** A column of many rows, sent as one parameter. */
export interface BulkColumn<Row> {
  readonly name: string;
  readonly type: string;
  encode(rows: readonly Row[]): Buffer;
}

/** How to write values of a type in PostgreSQL's binary format, which it reads without parsing. */
export interface ColumnType<Value> {
  readonly name: string;
  /** Object id in the system catalog, the same in every database. */
  readonly oid: number;
  /** Returns the maximum number of bytes of the value. */
  boundOf(value: Value): number;
  /** Writes the value and returns the offset of its end. */
  write(target: Buffer, value: Value, offset: number): number;
}

const fixed = <Value>(
  name: string,
  oid: number,
  bytes: number,
  write: ColumnType<Value>['write'],
): ColumnType<Value> => ({ name, oid, boundOf: () => bytes, write });

/** PostgreSQL counts time from 2000-01-01. */
const epochMs = Date.UTC(2000, 0, 1);
const jsonbVersion = '\u0001';
/** Maximum bytes of UTF-8 per UTF-16 code unit. */
const unitBytesMax = 3;

export const boolean = fixed<boolean>('boolean', 16, 1, (target, value, offset) =>
  target.writeUInt8(Number(value), offset),
);
export const smallint = fixed<number>('smallint', 21, 2, (target, value, offset) =>
  target.writeInt16BE(value, offset),
);
export const integer = fixed<number>('integer', 23, 4, (target, value, offset) =>
  target.writeInt32BE(value, offset),
);
export const bigint = fixed<bigint>('bigint', 20, 8, (target, value, offset) =>
  target.writeBigInt64BE(value, offset),
);
export const real = fixed<number>('real', 700, 4, (target, value, offset) =>
  target.writeFloatBE(value, offset),
);
export const float8 = fixed<number>('float8', 701, 8, (target, value, offset) =>
  target.writeDoubleBE(value, offset),
);
/** Milliseconds since 1970. */
export const timestamptz = fixed<number>('timestamptz', 1184, 8, (target, value, offset) =>
  target.writeBigInt64BE(BigInt(value - epochMs) * 1_000n, offset),
);
export const uuid = fixed<string>(
  'uuid',
  2950,
  16,
  (target, value, offset) => offset + target.write(value.replaceAll('-', ''), offset, 'hex'),
);
/** Bytes as hexadecimal digits. */
export const bytea: ColumnType<string> = {
  name: 'bytea',
  oid: 17,
  boundOf: (value) => value.length / 2,
  write: (target, value, offset) => offset + target.write(value, offset, 'hex'),
};
/** Raw bytes. */
export const rawBytea: ColumnType<Uint8Array> = {
  name: 'bytea',
  oid: 17,
  boundOf: (value) => value.length,
  write(target, value, offset) {
    target.set(value, offset);
    return offset + value.length;
  },
};
export const text: ColumnType<string> = {
  name: 'text',
  oid: 25,
  boundOf: (value) => value.length * unitBytesMax,
  write: (target, value, offset) => offset + target.write(value, offset),
};
/** JSON as text. */
export const jsonb: ColumnType<string> = {
  name: 'jsonb',
  oid: 3802,
  boundOf: (value) => (jsonbVersion.length + value.length) * unitBytesMax,
  write: (target, value, offset) => offset + target.write(jsonbVersion + value, offset),
};

/** Defines a column; `read` may return `null` or `undefined` for NULL. */
export function column<Row, Value>(
  name: string,
  type: ColumnType<Value>,
  read: (row: Row) => Value | null | undefined,
): BulkColumn<Row> {
  return { name, type: type.name, encode: (rows) => encodeArray(type, rows, read) };
}

/** Returns the statement that inserts rows encoded as one parameter per column (`encodeRows`). */
export function insertStatement<Row>(table: string, columns: readonly BulkColumn<Row>[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`;
}

/** Thrown for a value that its column cannot hold; the row is at fault. */
export class UnstorableValueError extends Error {
  override readonly name = 'UnstorableValueError';
}

/** @throws UnstorableValueError */
export function encodeRows<Row>(columns: readonly BulkColumn<Row>[], rows: readonly Row[]): Buffer[] {
  return columns.map(({ encode }) => encode(rows));
}

const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/** Buffer that arrays are written to before they are cut to their length; grows with the largest. */
let scratch = Buffer.allocUnsafe(64 * 1024);

function encodeArray<Row, Value>(
  type: ColumnType<Value>,
  rows: readonly Row[],
  read: (row: Row) => Value | null | undefined,
): Buffer {
  const [dimensions, hasNulls, firstIndex] = [1, 1, 1];
  for (const [index, field] of [dimensions, hasNulls, type.oid, rows.length, firstIndex].entries())
    scratch.writeInt32BE(field, index * 4);
  let end = headerBytes;
  for (const row of rows) {
    const value = read(row);
    const start = end + lengthBytes;
    reserve(start, end);
    const valueEnd = value == null ? start : writeValue(type, value, start);
    scratch.writeInt32BE(value == null ? nullLength : valueEnd - start, end);
    end = valueEnd;
  }
  return Buffer.from(scratch.subarray(0, end));
}

/** Writes the value and returns the offset of its end. */
function writeValue<Value>(type: ColumnType<Value>, value: Value, offset: number): number {
  try {
    reserve(offset + type.boundOf(value), offset);
    return type.write(scratch, value, offset);
  } catch (cause) {
    throw new UnstorableValueError(`a column of ${type.name} cannot hold a value of its row`, { cause });
  }
}

/** Grows the buffer to at least `bytes`, keeping the first `usedBytes`. */
function reserve(bytes: number, usedBytes: number): void {
  if (bytes > scratch.length) scratch = Buffer.concat([scratch.subarray(0, usedBytes)], 2 * bytes);
}
