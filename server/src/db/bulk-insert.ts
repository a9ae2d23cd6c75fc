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
  sizeOf(value: Value): number;
  /** Answers where the value ends. */
  write(target: Buffer, value: Value, offset: number): number;
}

const fixed = <Value>(
  name: string,
  oid: number,
  bytes: number,
  write: ColumnType<Value>['write'],
): ColumnType<Value> => ({ name, oid, sizeOf: () => bytes, write });

/** What PostgreSQL counts time from. */
const epochMs = Date.UTC(2000, 0, 1);
const jsonbVersion = '\u0001';

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
  sizeOf: (value) => value.length / 2,
  write: (target, value, offset) => offset + target.write(value, offset, 'hex'),
};
export const text: ColumnType<string> = {
  name: 'text',
  oid: 25,
  sizeOf: (value) => Buffer.byteLength(value),
  write: (target, value, offset) => offset + target.write(value, offset),
};
/** JSON as a text. */
export const jsonb: ColumnType<string> = {
  name: 'jsonb',
  oid: 3802,
  sizeOf: (value) => jsonbVersion.length + Buffer.byteLength(value),
  write: (target, value, offset) => offset + target.write(jsonbVersion + value, offset),
};

/** `read` may answer nothing, which is NULL. */
export function column<Row, Value>(
  name: string,
  type: ColumnType<Value>,
  read: (row: Row) => Value | null | undefined,
): BulkColumn<Row> {
  return { name, type: type.name, encode: (rows) => encodeArray(type, rows.map(read)) };
}

/** Inserts the rows that are given as one parameter a column (`encodeRows`). */
export function describeInsert<Row>(table: string, columns: readonly BulkColumn<Row>[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`;
}

/** @throws RangeError, TypeError for a value that its column cannot hold */
export function encodeRows<Row>(columns: readonly BulkColumn<Row>[], rows: readonly Row[]): Buffer[] {
  return columns.map(({ encode }) => encode(rows));
}

const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

function encodeArray<Value>(type: ColumnType<Value>, values: readonly (Value | null | undefined)[]): Buffer {
  let bytes = headerBytes + values.length * lengthBytes;
  for (const value of values) if (value != null) bytes += type.sizeOf(value);
  const target = Buffer.allocUnsafe(bytes);
  const [dimensions, hasNulls, firstIndex] = [1, 1, 1];
  for (const [index, field] of [dimensions, hasNulls, type.oid, values.length, firstIndex].entries())
    target.writeInt32BE(field, index * 4);
  let offset = headerBytes;
  for (const value of values) {
    const start = offset + lengthBytes;
    const end = value == null ? start : type.write(target, value, start);
    target.writeInt32BE(value == null ? nullLength : end - start, offset);
    offset = end;
  }
  return target;
}
