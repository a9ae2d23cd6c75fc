/** A column of many rows, which travels as one parameter. */
export interface BulkColumn<Row> {
  readonly name: string;
  readonly type: string;
  encode(rows: readonly Row[]): Buffer;
}

/** How values of a type look in PostgreSQL's binary form, which it takes in without parsing. */
export interface ColumnType<Value> {
  readonly name: string;
  /** Its id in the catalogue, the same in every database. */
  readonly oid: number;
  /** The most bytes that the value can take. */
  boundOf(value: Value): number;
  /** Answers where the value ends. */
  write(target: Buffer, value: Value, offset: number): number;
}

const fixed = <Value>(
  name: string,
  oid: number,
  bytes: number,
  write: ColumnType<Value>['write'],
): ColumnType<Value> => ({ name, oid, boundOf: () => bytes, write });

/** What PostgreSQL counts time from. */
const epochMs = Date.UTC(2000, 0, 1);
const jsonbVersion = '\u0001';
/** The most that UTF-8 takes for one unit of a string. */
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
/** Likewise, as they are. */
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
/** JSON as a text. */
export const jsonb: ColumnType<string> = {
  name: 'jsonb',
  oid: 3802,
  boundOf: (value) => (jsonbVersion.length + value.length) * unitBytesMax,
  write: (target, value, offset) => offset + target.write(jsonbVersion + value, offset),
};

/** `read` may answer nothing, which is NULL. */
export function column<Row, Value>(
  name: string,
  type: ColumnType<Value>,
  read: (row: Row) => Value | null | undefined,
): BulkColumn<Row> {
  return { name, type: type.name, encode: (rows) => encodeArray(type, rows, read) };
}

/** Inserts the rows that are given as one parameter a column (`encodeRows`). */
export function insertStatement<Row>(table: string, columns: readonly BulkColumn<Row>[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`;
}

/** A value that its column cannot hold: the row's fault, as the database would say. */
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

/** What arrays are written into before they are cut out at their length; it grows with the largest. */
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

/** Answers where the value ends. */
function writeValue<Value>(type: ColumnType<Value>, value: Value, offset: number): number {
  try {
    reserve(offset + type.boundOf(value), offset);
    return type.write(scratch, value, offset);
  } catch (cause) {
    throw new UnstorableValueError(`a column of ${type.name} cannot hold a value of its row`, { cause });
  }
}

/** Makes room for so many bytes, of which some are in use. */
function reserve(bytes: number, usedBytes: number): void {
  if (bytes > scratch.length) scratch = Buffer.concat([scratch.subarray(0, usedBytes)], 2 * bytes);
}
